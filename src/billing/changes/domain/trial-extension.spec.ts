import { addSeconds, DAY } from '../../../platform/clock';
import { checkTrialEnd } from './trial-extension';

const NOW = new Date('2026-11-01T12:00:00Z');
const inDays = (days: number) => addSeconds(NOW, days * DAY);

describe('The new end of a trial', () => {
  it.each<[string, Date, Date]>([
    ['a second later than the current one', addSeconds(inDays(5), 1), inDays(5)],
    ['90 days from now', inDays(90), inDays(5)],
    ['in the future, if the current one has just passed', inDays(1), addSeconds(NOW, -1)],
  ])('can be %s', (_what, endsAt, present) => expect(checkTrialEnd(endsAt, present, NOW)).toMatchObject({ ok: true }));

  it.each<[string, Date, Date, string]>([
    ['now', NOW, inDays(-1), 'must be in the future'],
    ['the current one', inDays(5), inDays(5), 'must be later than the current end of the trial'],
    ['earlier than the current one', inDays(4), inDays(5), 'must be later than the current end of the trial'],
    ['later than in 90 days', addSeconds(inDays(90), 1), inDays(5), 'must be at most 90 days from now'],
  ])('cannot be %s', (_what, endsAt, present, message) =>
    expect(checkTrialEnd(endsAt, present, NOW)).toMatchObject({
      ok: false,
      failure: { code: 'VALIDATION_ERROR', details: { endsAt: [message] } },
    }),
  );
});

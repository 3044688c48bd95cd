import { DAY } from '../../platform/clock';
import { APPROVAL_SECONDS, FactorReset, NOTICE_SECONDS } from './factor-reset';

const NOW = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** A request of Grace to reset the factor of Ada. */
const requested = () => {
  const reset = FactorReset.request('ada', 'Ticket 4713', 'grace', NOW);
  if (!reset.ok) throw new Error(reset.failure.code);
  return reset.value;
};
const approved = () => {
  const reset = requested();
  expect(reset.approve('mary', NOW).ok).toBe(true);
  return reset;
};
const codeOf = (outcome: ReturnType<FactorReset['approve']>) => (outcome.ok ? 'ok' : outcome.failure.code);

describe('A request to reset a second factor', () => {
  it('is not made for the own factor', () => {
    expect(FactorReset.request('grace', 'Ticket 4713', 'grace', NOW)).toMatchObject({
      ok: false,
      failure: { code: 'SECOND_OPERATOR_REQUIRED' },
    });
  });

  it.each([
    ['another operator', 'mary', NOW, 'ok'],
    ['another operator, just in time', 'mary', after(APPROVAL_SECONDS - 1), 'ok'],
    ['another operator, too late', 'mary', after(APPROVAL_SECONDS), 'CONFLICT'],
    ['the operator who requested it', 'grace', NOW, 'SECOND_OPERATOR_REQUIRED'],
    ['the user', 'ada', NOW, 'SECOND_OPERATOR_REQUIRED'],
  ])('is approved or not by %s', (_who, by, at, expected) =>
    expect(codeOf(requested().approve(by, at))).toBe(expected),
  );

  it('is approved once', () => expect(codeOf(approved().approve('joan', NOW))).toBe('CONFLICT'));

  it.each([
    ['not without an approval', requested, after(2 * DAY), false],
    ['not before the user had time to stop it', approved, after(NOTICE_SECONDS - 1), false],
    ['after that', approved, after(NOTICE_SECONDS), true],
  ])('is completed %s', (_when, reset, at, expected) => {
    const own = reset();
    expect(own.complete(at)).toBe(expected);
    expect(own.state === 'done').toBe(expected);
    expect(own.complete(at)).toBe(false); // once
  });

  it('is neither completed, approved nor canceled after the user has stopped it', () => {
    const reset = approved();
    reset.stop(NOW);
    expect(reset).toMatchObject({ state: 'stopped', closedBy: 'ada', closedAt: NOW });
    expect(reset.complete(after(2 * DAY))).toBe(false);
    expect(reset.cancel('grace', NOW).ok).toBe(false);
    expect(codeOf(reset.approve('mary', NOW))).toBe('CONFLICT');
  });

  it('is canceled by any operator while it is open', () => {
    const reset = approved();
    expect(reset.cancel('grace', NOW).ok).toBe(true);
    expect(reset).toMatchObject({ state: 'canceled', closedBy: 'grace' });
    expect(reset.complete(after(2 * DAY))).toBe(false);
  });
});

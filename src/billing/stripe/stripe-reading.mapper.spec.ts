import { toReading } from './stripe-reading.mapper';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const read = (date: string | undefined, milliseconds: number) =>
  toReading({ lastResponse: { headers: date ? { date } : {} } }, [], {} as never, { milliseconds, now: NOW });

describe('a reading', () => {
  it.each([
    ['10:00:09', 'at once', 0, '10:00:08'],
    ['10:00:09', 'in less than a second', 200, '10:00:07'],
    ['10:00:09', 'in three seconds', 3000, '10:00:05'],
    ['10:00:09', 'in more than three seconds', 3001, '10:00:04'],
  ])('of %s that came %s is complete until the last full second before the call', (time, _when, ms, until) => {
    expect(read(`Sun, 01 Mar 2026 ${time} GMT`, ms)).toEqual({
      snapshots: [],
      completeUntil: new Date(`2026-03-01T${until}Z`),
      at: new Date(`2026-03-01T${time}Z`),
    });
  });

  it.each([undefined, 'today'])('has the time of this instance if Stripe says %s', (date) => {
    expect(read(date, 500)).toMatchObject({ completeUntil: new Date('2026-03-01T11:59:58Z'), at: NOW });
  });
});

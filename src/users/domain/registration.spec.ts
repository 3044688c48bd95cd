import { displacedRegistrations } from './registration';

const NOW = new Date('2026-03-02T12:00:00Z');
const FRESH = new Date('2026-03-02T11:00:00Z');
const EXPIRED = new Date('2026-03-01T12:00:00Z');

const unsent = (cause: string, count = 1) => Array.from({ length: count }, () => ({ cause, mailedAt: null }));
const mailed = (cause: string, mailedAt: Date, count = 1) => Array.from({ length: count }, () => ({ cause, mailedAt }));

describe('The registrations of an address', () => {
  it.each([
    ['are all kept while they are few', [...unsent('a', 3), ...mailed('b', FRESH, 3)], 0],
    ['are kept if their link was delivered, whatever their number', mailed('a', FRESH, 30), 0],
    ['are kept if they are unsent and of other clients', [...unsent('a', 3), ...unsent('b', 3), ...unsent('c')], 0],
    ['are displaced by unsent ones of the same client beyond three', unsent('a', 5), 2],
    ['are displaced beyond twelve unsent ones', ['a', 'b', 'c', 'd', 'e'].flatMap((cause) => unsent(cause, 3)), 3],
    ['are displaced beyond three whose link has expired', mailed('a', EXPIRED, 5), 2],
  ])('%s', (_what, registrations, count) => {
    const displaced = displacedRegistrations(registrations, NOW);
    expect(displaced).toEqual(count === 0 ? [] : registrations.slice(-count));
  });

  it('are displaced within the client that has the most, not those of another client', () => {
    const person = { cause: 'person', mailedAt: null };
    expect(displacedRegistrations([...unsent('stranger', 9), person], NOW)).toEqual(unsent('stranger', 6));
  });
});

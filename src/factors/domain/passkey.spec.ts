import { Passkey, passkeyIdOf, textOf, type NewCredential } from './passkey';

const NOW = new Date('2026-03-01T12:00:00Z');
const CREDENTIAL: NewCredential = {
  id: Buffer.alloc(16, 1),
  publicKey: Buffer.alloc(77),
  aaguid: null,
  isBackedUp: false,
  counter: 5,
  transports: ['internal'],
};
const passkey = (counter: number) => Passkey.add('ada', 'MacBook', { ...CREDENTIAL, counter }, NOW);

describe('A passkey', () => {
  it('was not used when it is added, and is not proven', () =>
    expect(passkey(5)).toMatchObject({ counter: '5', lastUsedAt: null, isProven: false, createdAt: NOW }));

  it.each([
    ['increases', 5, 6, false],
    ['increases by far', 5, 4_294_967_295, false],
    ['stays', 5, 5, true],
    ['goes back', 5, 4, true],
    ['is 0 from now on', 5, 0, true],
    ['was never counted', 0, 0, false],
    ['is counted from now on', 0, 7, false],
  ])('whose counter %s is used, and tells a copy', (_, before, counter, wentBack) => {
    const used = passkey(before);
    expect(used.use({ counter, isBackedUp: true }, NOW)).toBe(wentBack);
    expect(used).toMatchObject({ counter: String(counter), isBackedUp: true, lastUsedAt: NOW });
  });

  it('has an id that clients send as a text', () => expect(passkeyIdOf(textOf(CREDENTIAL.id))).toEqual(CREDENTIAL.id));
});

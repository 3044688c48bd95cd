import { newId } from '../../platform/ids';
import { digestOf, newSecret } from '../../platform/secret-token';
import { refreshTokenRef, refreshTokenText } from './refresh-token-text';

describe('The text of a refresh token', () => {
  const [id, secret] = [newId(), newSecret()];
  const text = refreshTokenText(id, secret);

  it('is URL-safe and leads to the id and the hash of the secret', () => {
    expect(text).toMatch(/^[\w-]{64}$/);
    expect(refreshTokenRef(text)).toEqual({ id, secretHash: digestOf(secret) });
  });

  it.each([
    ['a token of an earlier version', 'x'.repeat(43)],
    ['a shorter text', text.slice(1)],
    ['a longer text', `${text}A`],
    ['another alphabet', text.replace(/.$/, '+')],
    ['nothing', ''],
  ])('is not %s', (_, other) => expect(refreshTokenRef(other)).toBeUndefined());
});

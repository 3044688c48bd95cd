import { base32, matchingStep, newTotpSecret, otpauthUri, stepAt, totpCode } from './totp';

const SECRET = Buffer.from('12345678901234567890');
const at = (seconds: number) => new Date(seconds * 1000);

describe('a code of an authenticator app', () => {
  it.each([
    [0, '755224'],
    [1, '287082'],
    [2, '359152'],
    [3, '969429'],
    [4, '338314'],
    [5, '254676'],
    [6, '287922'],
    [7, '162583'],
    [8, '399871'],
    [9, '520489'],
  ])('of the counter %d is that of RFC 4226, appendix D', (counter, code) =>
    expect(totpCode(SECRET, counter)).toBe(code),
  );

  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %d ends in the digits of RFC 6238, appendix B', (seconds, code) =>
    expect(totpCode(SECRET, stepAt(at(seconds)))).toBe(code),
  );

  it.each([
    ['two steps before its own', 119, false],
    ['the step before its own', 120, true],
    ['its own step', 150, true],
    ['the step after its own', 209, true],
    ['two steps after its own', 210, false],
  ])('in %s, at second %d, is accepted: %p', (_when, seconds, isAccepted) =>
    expect(matchingStep(SECRET, '254676', at(seconds))).toBe(isAccepted ? 5 : undefined),
  );

  it.each(['', '28708', '2870820', '28708２', 'abcdef'])('is refused as %p', (code) =>
    expect(matchingStep(SECRET, code, at(59))).toBeUndefined(),
  );

  it('is shown as a QR code that names the service and the account', () => {
    expect(otpauthUri(SECRET, 'Acme & Co', 'ada+1@example.com')).toBe(
      'otpauth://totp/Acme%20%26%20Co:ada%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
        '&issuer=Acme%20%26%20Co&algorithm=SHA1&digits=6&period=30',
    );
  });

  it.each([
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foobar', 'MZXW6YTBOI'],
  ])('has a secret in base 32: %s is %s (RFC 4648, section 10)', (text, encoded) =>
    expect(base32(Buffer.from(text))).toBe(encoded),
  );

  it('has a secret of its own for each factor', () => {
    expect(newTotpSecret()).toHaveLength(20);
    expect(newTotpSecret().equals(newTotpSecret())).toBe(false);
  });
});

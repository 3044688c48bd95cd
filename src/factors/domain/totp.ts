import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Seconds for which a code is shown (RFC 6238, section 5.2). */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226, section 4: the recommended length of the secret. */
const SECRET_BYTES = 20;
/** Codes of so many earlier and later steps are accepted, because clocks differ. */
const WINDOW = 1;
/** RFC 4648, section 6. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A secret of 160 random bits. */
export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The number of the step that a time belongs to. */
export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1000 / STEP_SECONDS);

/** The code of a step, with 6 digits (RFC 4226, section 5.3, with HMAC-SHA-1). */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest[digest.length - 1] & 0x0f;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** The step near a time that has this code; undefined if there is none. */
export function matchingStep(secret: Buffer, code: string, now: Date): number | undefined {
  const given = Buffer.from(code);
  const current = stepAt(now);
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => current - WINDOW + index);
  return steps.find((step) => {
    const expected = Buffer.from(totpCode(secret, step));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

/** A secret as people type it into an authenticator app (RFC 4648, section 6, without padding). */
export function base32(secret: Buffer): string {
  const bits = [...secret].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/**
 * The content of the QR code that an authenticator app scans.
 * @param issuer the service, as the app shows it
 * @param account the address of the account
 */
export function otpauthUri(secret: Buffer, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const parameters = { secret: base32(secret), issuer: encodeURIComponent(issuer), algorithm: 'SHA1' };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return `otpauth://totp/${label}?${query.join('&')}&digits=${DIGITS}&period=${STEP_SECONDS}`;
}

import { stepAt, totpCode } from '../../src/factors/domain/totp';
import type { LocalMode } from './local-mode';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows now. @param secret in base 32, as the page shows it */
export function shownCode(secret: string): string {
  const bits = [...secret.replace(/\s/g, '')].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits
    .join('')
    .match(/.{8}/g)!
    .map((byte) => parseInt(byte, 2));
  return totpCode(Buffer.from(bytes), stepAt(new Date()));
}

/** The same; the service accepts it again, so that a test need not wait for the next one. */
export async function unusedCode(local: LocalMode, secret: string): Promise<string> {
  await local.query('UPDATE totp_factors SET last_step = 0');
  return shownCode(secret);
}

interface Enrolment {
  /** In base 32. */
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets an authenticator app up by the API. @param accessToken of a user who has just signed in */
export async function enrol(local: LocalMode, accessToken: string): Promise<Enrolment> {
  const post = async <Data>(path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken}` };
    const response = await fetch(`${local.home}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect([path, response.status]).toEqual([path, 200]);
    return ((await response.json()) as { data: Data }).data;
  };
  const { secret } = await post<{ secret: string }>('/auth/factors/totp', {});
  const code = shownCode(secret);
  return { secret, ...(await post<{ recoveryCodes: string[] }>('/auth/factors/totp/confirm', { code })) };
}

/** Makes the proofs of identity of all sessions too old for protected operations. */
export const ageProofs = (local: LocalMode): Promise<unknown> =>
  local.query(`UPDATE sessions SET proved_at = now() - interval '11 minutes'`);

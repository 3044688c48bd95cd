import { stepAt, totpCode } from '../../src/factors/domain/totp';
import type { SignedInUser } from './actors';
import type { TestApp } from './app';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_SECONDS = 30;

/** The authenticator app of a user, with the recovery codes that were shown. */
export class AuthenticatorApp {
  private constructor(
    private readonly t: TestApp,
    /** In base 32, as shown. */
    readonly secret: string,
    readonly recoveryCodes: readonly string[],
  ) {}

  /** Sets the second factor of a user up. Its first code is used then. */
  static async enrol(t: TestApp, { bearer }: Pick<SignedInUser, 'bearer'>): Promise<AuthenticatorApp> {
    const { body } = await t.api.post('/auth/factors/totp').set(bearer).expect(200);
    const { secret } = (body as { data: { secret: string } }).data;
    const code = new AuthenticatorApp(t, secret, []).shownCode();
    const confirmed = await t.api.post('/auth/factors/totp/confirm').set(bearer).send({ code }).expect(200);
    return new AuthenticatorApp(
      t,
      secret,
      (confirmed.body as { data: { recoveryCodes: string[] } }).data.recoveryCodes,
    );
  }

  /** The code that the app shows, which may have been used. @param steps of 30 seconds from now */
  shownCode(steps = 0): string {
    return totpCode(this.bytes, stepAt(this.t.clock.now()) + steps);
  }

  /** The next code, which was not used: waits for it. */
  nextCode(): string {
    this.t.clock.advance(STEP_SECONDS);
    return this.shownCode();
  }

  private get bytes(): Buffer {
    const bits = [...this.secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
    return Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  }
}

import type { INestApplicationContext, Type } from '@nestjs/common';
import { SignInByMagicLink } from '../../src/auth/commands/sign-in-by-magic-link';
import { OneTimeTokenRepository } from '../../src/auth/data/one-time-token.repository';
import { SecondFactorNeeded } from '../../src/auth/domain/second-factor-needed';
import { TrustedBrowser } from '../../src/auth/domain/trusted-browser';
import { LinkCodes } from '../../src/auth/services/link-codes';
import { EnableTotp } from '../../src/factors/commands/enable-totp';
import { StartTotpEnrolment } from '../../src/factors/commands/start-totp-enrolment';
import { stepAt, totpCode } from '../../src/factors/domain/totp';
import { TotpFactor } from '../../src/factors/domain/totp-factor';
import { TotpSecrets } from '../../src/factors/services/totp-secrets';
import { CookieSigner } from '../../src/http/access/cookie-signer';
import { Clock, MINUTE } from '../../src/platform/clock';
import { UnitOfWork } from '../../src/platform/database/unit-of-work';
import { newId } from '../../src/platform/ids';
import { digestOf } from '../../src/platform/secret-token';
import type { User } from '../../src/users/domain/user';
import type { Fixtures, FixtureSession } from './fixtures';

const LINK_REQUEST = 'link_request';

/** Sessions that began after their account had a second factor, and have not proven it. */
const UNPROVEN_SESSIONS = `
  SELECT session.id FROM sessions session JOIN totp_factors factor ON factor.user_id = session.user_id
  WHERE session.second_factor_at IS NULL AND session.created_at > factor.confirmed_at`;

/** Creates accounts with an authenticator app, and what they sign in with. */
export class FactorFixtures {
  constructor(
    private readonly fixtures: Fixtures,
    private readonly app: INestApplicationContext,
  ) {}

  /** A session in which the setup of an app was started, and the code that completes it. */
  async startedSetup(): Promise<FixtureSession & { user: User; code: string }> {
    const user = await this.fixtures.verifiedUser();
    const session = await this.fixtures.session(user);
    await this.fixtures.execute(new StartTotpEnrolment({ userId: user.id }));
    return { ...session, user, code: await this.code(user.id, 0) };
  }

  /** An account with an app, and the session in which it was set up. */
  async enrolled(): Promise<FixtureSession & { user: User }> {
    const { code, ...enrolled } = await this.startedSetup();
    const actor = { userId: enrolled.user.id, tokenId: tokenIdOf(enrolled.accessToken) };
    await this.fixtures.execute(new EnableTotp(actor, code));
    return enrolled;
  }

  /** The ticket of a sign-in that waits for its second factor, and the code that completes it. */
  async ticket(): Promise<{ ticket: string; code: string }> {
    const { user } = await this.enrolled();
    const signedIn = await this.fixtures.execute(
      new SignInByMagicLink(await this.fixtures.link(user.id, 'magic-link'), undefined),
    );
    if (!(signedIn instanceof SecondFactorNeeded)) throw new Error('A sign-in needed no second factor.');
    return { ticket: signedIn.secondFactor.ticket, code: await this.code(user.id, 1) };
  }

  /** The code of a sign-in link, and the cookie of the browser that asked for it. */
  async emailedCode(userId: string): Promise<{ code: string; cookie: string }> {
    const browserId = newId();
    const details = { browserHash: digestOf(browserId) };
    const token = await this.get(OneTimeTokenRepository).issue(userId, 'magic-link', details);
    const signed = this.get(CookieSigner).sign(LINK_REQUEST, { browserId }, 10 * MINUTE);
    return { code: this.get(LinkCodes).of(digestOf(token)), cookie: `${LINK_REQUEST}=${signed}` };
  }

  /** A browser that an account trusts. @returns its id */
  async trustedBrowser(userId: string): Promise<string> {
    const browser = TrustedBrowser.of(userId, newId(), { ip: null, userAgent: null }, this.get(Clock).now());
    await this.get(UnitOfWork).manager.insert(TrustedBrowser, browser);
    return browser.id;
  }

  /** Violations: sessions that need a second factor and were opened without it. */
  async unprovenSessions(): Promise<string[]> {
    const rows = await this.get(UnitOfWork).query<{ id: string }>(UNPROVEN_SESSIONS, []);
    return rows.map(({ id }) => `session ${id} was opened without the second factor of its account`);
  }

  /** @param steps of 30 seconds from now; one more is accepted, and differs from the code before */
  private async code(userId: string, steps: number): Promise<string> {
    const { secretEnc } = await this.get(UnitOfWork).manager.findOneByOrFail(TotpFactor, { userId });
    return totpCode(this.get(TotpSecrets).open(userId, secretEnc), stepAt(this.get(Clock).now()) + steps);
  }

  private get<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }
}

function tokenIdOf(accessToken: string): string {
  const payload = Buffer.from(accessToken.split('.')[1], 'base64url').toString();
  return (JSON.parse(payload) as { jti: string }).jti;
}

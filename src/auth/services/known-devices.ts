import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { CookieOptions, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { DEVICE_COOKIE, sameSiteForLinks } from '../../http/access/cookies';
import { SignedCookies } from '../../http/access/signed-cookies';
import { DAY } from '../../platform/clock';
import { currentContext } from '../../platform/observability/request-context';
import { accountDigest } from './account-digest';

const DEVICE_SECONDS = 400 * DAY;
/** How many accounts a device is known to; the one that signed in longest ago gives way. */
const MAX_ACCOUNTS = 5;

/** What the signed cookie says of a browser. */
interface Device {
  /** Random; tells one device of an account from another. */
  readonly deviceId: string;
  /** Digests of the ids of the accounts that signed in with it, the latest last. */
  readonly accounts: readonly string[];
}

/**
 * Which browsers an account has signed in with before (contract section 11, Guessing): a signed
 * cookie in the browser tells, so that asking costs no database message. Whoever guesses at an
 * account from elsewhere cannot make its known devices wait.
 */
@Injectable()
export class KnownDevices {
  private readonly attributes: CookieOptions;

  constructor(
    private readonly signed: SignedCookies,
    @Inject(SETTINGS) { cookie }: Settings,
  ) {
    // One comes back from a provider or from a mail by a link; and an invitation signs in at
    // /invitations. What is not sent would be overwritten.
    this.attributes = {
      httpOnly: true,
      path: '/api/v1',
      secure: cookie.secure,
      sameSite: sameSiteForLinks(cookie),
      maxAge: DEVICE_SECONDS * 1000,
    };
  }

  /**
   * Whether the browser of the running request has signed in as this person before; to be asked
   * before `remember`.
   */
  isKnown(userId: string): boolean {
    return this.idFor(userId) !== undefined;
  }

  /** The id of the device of the running request, where the person has signed in with it before. */
  idFor(userId: string): string | undefined {
    const device = this.read();
    return device?.accounts.includes(accountDigest(userId)) ? device.deviceId : undefined;
  }

  /**
   * Digests of the accounts that signed in with the device of the running request before; their ids
   * cannot be told from them.
   */
  accounts(): readonly string[] {
    return this.read()?.accounts ?? [];
  }

  /** Notes in the browser that this person has signed in with it. */
  remember(response: Response, userId: string): void {
    const { deviceId, accounts } = this.read() ?? { deviceId: randomUUID(), accounts: [] };
    const account = accountDigest(userId);
    const device: Device = {
      deviceId,
      accounts: [...accounts.filter((other) => other !== account), account].slice(-MAX_ACCOUNTS),
    };
    response.cookie(DEVICE_COOKIE, this.signed.sign(DEVICE_COOKIE, device, DEVICE_SECONDS), this.attributes);
  }

  private read(): Device | undefined {
    return this.signed.read<Device>(DEVICE_COOKIE, currentContext().deviceCookie);
  }
}

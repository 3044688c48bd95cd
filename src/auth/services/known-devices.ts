import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { DEVICE_COOKIE } from '../../http/access/cookie-parser';
import { attributesForLinks } from '../../http/access/link-cookie-attributes';
import { CookieSigner } from '../../http/access/cookie-signer';
import { HostCookies, type HostCookieOptions } from '../../http/access/host-cookies';
import { DAY } from '../../platform/clock';
import { currentContext } from '../../platform/observability/request-context';
import { accountCookieId } from './account-cookie-id';

const DEVICE_SECONDS = 400 * DAY;
/** Accounts per device; the one that signed in longest ago is dropped. */
const MAX_ACCOUNTS = 5;

/** The content of the signed cookie. */
interface Device {
  /** Random; distinguishes the devices of an account. */
  readonly deviceId: string;
  /** Digests of the accounts that signed in with the device, the latest last. */
  readonly accounts: readonly string[];
  /** Those of them whose owner has proven the mailbox in this browser. */
  readonly proven?: readonly string[];
}

/**
 * Remembers the browsers with which an account has signed in (docs/contract.md, Sign-in limits), in
 * a signed cookie, so that no database query is needed. Guessing from other devices cannot lock
 * known devices out.
 */
@Injectable()
export class KnownDevices {
  private readonly attributes: HostCookieOptions;

  constructor(
    private readonly cookieSigner: CookieSigner,
    private readonly cookies: HostCookies,
    @Inject(SETTINGS) { cookie }: Settings,
  ) {
    // Sent to all routes that sign in (/auth and /invitations), and on links from other sites:
    // a cookie that is not sent would be overwritten.
    this.attributes = { ...attributesForLinks(cookie, '/api/v1'), maxAge: DEVICE_SECONDS * 1000 };
  }

  /** Whether this user has signed in with the browser of the running request before. */
  isKnown(userId: string): boolean {
    return this.idFor(userId) !== undefined;
  }

  /** The device of the running request, if the user has signed in with it before. */
  idFor(userId: string): string | undefined {
    const device = this.read();
    return device?.accounts.includes(accountCookieId(userId)) ? device.deviceId : undefined;
  }

  /** Whether this user has proven the mailbox in the browser of the running request. */
  isProven(userId: string): boolean {
    return this.read()?.proven?.includes(accountCookieId(userId)) ?? false;
  }

  /** The device of the running request, of any account. */
  get currentId(): string | undefined {
    return this.read()?.deviceId;
  }

  /**
   * Gives the browser a new id before it can be trusted, because an earlier one may have been
   * copied. Its accounts stay.
   */
  renew(response: Response): void {
    this.write(response, { ...this.read(), deviceId: randomUUID(), accounts: this.accounts() });
  }

  /** Digests of the accounts that have signed in with the device of the running request. */
  accounts(): readonly string[] {
    return this.read()?.accounts ?? [];
  }

  /**
   * Adds the user to the cookie of the browser.
   * @param isProven whether the sign-in has proven the mailbox
   */
  remember(response: Response, userId: string, isProven = false): void {
    const { deviceId, accounts, proven = [] }: Device = this.read() ?? { deviceId: randomUUID(), accounts: [] };
    const account = accountCookieId(userId);
    const remembered = [...accounts.filter((other) => other !== account), account].slice(-MAX_ACCOUNTS);
    this.write(response, {
      deviceId,
      accounts: remembered,
      proven: remembered.filter((other) => proven.includes(other) || (isProven && other === account)),
    });
  }

  private write(response: Response, { deviceId, accounts, proven }: Device): void {
    const device: Device = { deviceId, accounts, proven };
    const value = this.cookieSigner.sign(DEVICE_COOKIE, device, DEVICE_SECONDS);
    this.cookies.set(response, DEVICE_COOKIE, value, this.attributes);
  }

  private read(): Device | undefined {
    return this.cookieSigner.read<Device>(DEVICE_COOKIE, currentContext().deviceCookie);
  }
}

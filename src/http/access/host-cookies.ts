import { Inject, Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { cookieIn, cookieNames } from './cookie-parser';

const PREFIX = '__Host-';
/**
 * Until then, a cookie under its earlier name, without the prefix, is read as well, so that the
 * upgrade signs nobody out (docs/contract.md, Headers).
 */
const EARLIER_NAMES_UNTIL = new Date('2027-03-01T00:00:00Z');

/** The attributes of a cookie, with the path that it has without the prefix. */
export type HostCookieOptions = CookieOptions & { readonly path: string };

/**
 * Cookies that only this host can set: over HTTPS their names begin with `__Host-`, which browsers
 * accept from the host itself only, with `Secure` and `Path=/`. A page on a neighboring host can
 * then neither replace nor double them. Without HTTPS the prefix cannot be used.
 */
@Injectable()
export class HostCookies {
  constructor(
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'cookie'>,
  ) {}

  /** The value of a cookie; undefined if it is missing or occurs twice. */
  read(request: Pick<Request, 'headers'>, name: string): string | undefined {
    if (!this.isPrefixed) return cookieIn(request, name);
    const isSet = cookieNames(request).includes(PREFIX + name);
    return isSet || !this.readsEarlierNames ? cookieIn(request, PREFIX + name) : cookieIn(request, name);
  }

  /** The names of the cookies that begin with a text, without the prefix. */
  namesIn(request: Pick<Request, 'headers'>, start: string): string[] {
    const prefix = this.isPrefixed ? PREFIX : '';
    const names = cookieNames(request).filter((name) => name.startsWith(prefix + start));
    return names.map((name) => name.slice(prefix.length));
  }

  /** Sets a cookie, and removes the one under its earlier name that the browser has sent. */
  set(response: Response, name: string, value: string, options: HostCookieOptions): void {
    response.cookie(this.nameOf(name), value, this.attributesOf(options));
    this.clearEarlier(response, name, options);
  }

  /** @param options as it was set with */
  clear(response: Response, name: string, options: HostCookieOptions): void {
    response.clearCookie(this.nameOf(name), this.attributesOf(options));
    this.clearEarlier(response, name, options);
  }

  private clearEarlier(response: Response, name: string, options: HostCookieOptions): void {
    if (this.readsEarlierNames && cookieNames(response.req).includes(name)) response.clearCookie(name, options);
  }

  private get isPrefixed(): boolean {
    return this.settings.cookie.secure;
  }

  private get readsEarlierNames(): boolean {
    return this.isPrefixed && this.clock.now() < EARLIER_NAMES_UNTIL;
  }

  private nameOf(name: string): string {
    return this.isPrefixed ? PREFIX + name : name;
  }

  private attributesOf(options: HostCookieOptions): CookieOptions {
    return this.isPrefixed ? { ...options, secure: true, path: '/' } : options;
  }
}

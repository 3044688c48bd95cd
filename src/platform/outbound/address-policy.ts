import { Inject, Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import { SETTINGS, type Settings } from '../../config/settings';
import { isInList, subnetList } from '../../config/subnet-list';
import { err, ok, type Result } from '../result';
import { OutboundFailures } from './outbound.failures';
import { isSpecial, plainAddress } from './special-addresses';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** Ports below it belong to services of operating systems, such as mail and file servers. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/** A URL with a reason if it is refused. */
const refused = (message: string) => err({ ...OutboundFailures.urlNotAllowed, message });

/**
 * Decides which addresses that a tenant has given may be requested: public ones with https, those
 * of WEBHOOK_ALLOW_SUBNETS, and with WEBHOOK_ALLOW_LOOPBACK this machine, also with http.
 */
@Injectable()
export class AddressPolicy {
  private readonly allowsLoopback: boolean;
  private readonly exceptions;

  constructor(@Inject(SETTINGS) { outbound }: Settings) {
    this.allowsLoopback = outbound.allowLoopback;
    this.exceptions = subnetList([...outbound.allowSubnets, ...(outbound.allowLoopback ? LOOPBACK : [])]);
  }

  /**
   * The parsed URL, whose host may still be a name that leads to a forbidden address.
   * URL_NOT_ALLOWED with a message that names the rule.
   */
  parse(text: string): Result<URL, 'URL_NOT_ALLOWED'> {
    if (!URL.canParse(text)) return refused('The address is not a URL.');
    const url = new URL(text);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.isLocal(url)))
      return refused('The address must begin with https://.');
    if (url.username !== '' || url.password !== '') return refused('The address must not contain a user or password.');
    const port = Number(url.port || (url.protocol === 'http:' ? HTTP_PORT : HTTPS_PORT));
    if (port !== HTTPS_PORT && port < FIRST_UNPRIVILEGED_PORT)
      return refused(`The port must be ${HTTPS_PORT}, or ${FIRST_UNPRIVILEGED_PORT} or higher.`);
    const host = hostOf(url);
    if (isIP(host) !== 0 && !this.allows(host)) return refused('The host must not be an internal address.');
    return ok(url);
  }

  /** Whether connections to an IP address are allowed. */
  allows(address: string): boolean {
    const plain = plainAddress(address);
    return plain !== undefined && (isInList(this.exceptions, plain) || !isSpecial(plain));
  }

  private isLocal(url: URL): boolean {
    const host = hostOf(url);
    return this.allowsLoopback && (isIP(host) === 0 ? isLocalhost(host) : this.allows(host));
  }
}

/** The host of a URL: a name, or an address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Whether a name refers to this machine (RFC 6761 section 6.3). */
export const isLocalhost = (host: string): boolean => /^(.+\.)?localhost\.?$/.test(host);

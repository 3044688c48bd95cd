import { isIP, isIPv4, isIPv6 } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** The prefix that one household, or one attacker, usually controls. */
const IPV6_PREFIX = 64;

/**
 * The key under which rate limits count a client address: an IPv4 address, or the /64 of an IPv6
 * address.
 */
export function addressKey(ip: string | null | undefined): string {
  return ipKeyGenerator(ip ?? 'unknown', IPV6_PREFIX);
}

/**
 * The network of a client address, in CIDR notation: the /24 of an IPv4 address, the /64 of an IPv6
 * address. Null for what is no address.
 */
export function networkOf(address: string): string | null {
  const ipv4 = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(ipv4)) return `${ipv4.split('.').slice(0, 3).join('.')}.0/24`;
  return isIPv6(address) ? ipKeyGenerator(address, IPV6_PREFIX) : null;
}

/**
 * The first candidate that is an IP address, or null. With TRUST_PROXY the header X-Forwarded-For
 * can hold anything, so only a parsed address is stored and counted.
 */
export function parsedAddress(...candidates: readonly (string | undefined)[]): string | null {
  for (const candidate of candidates) {
    const [address] = candidate?.split('%') ?? []; // without the zone of a link-local one
    if (address && isIP(address)) return address;
  }
  return null;
}

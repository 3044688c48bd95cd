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

/** A network around a client address. */
export interface Network {
  readonly key: string;
  /** As many clients it counts as: what one may do, times this, all of it may do. */
  readonly clients: number;
}

/** What one customer of a provider may have: a /64, a /56 or, at some, a /48. */
const IPV6_NETWORKS = [
  [64, 1],
  [56, 2],
  [48, 8],
] as const;
/** Of a /24, the addresses belong to different customers, or to one who rents them. */
const IPV4_CLIENTS = 8;

/**
 * The networks around a client address, the narrowest first: an IPv4 address and its /24, or the
 * /64, /56 and /48 of an IPv6 address. A limit must be kept by each of them, so that one customer
 * with many addresses is no crowd.
 */
export function networksAround(ip: string | null | undefined): readonly [Network, ...Network[]] {
  const narrowest = { key: addressKey(ip), clients: 1 };
  const network = ip ? networkOf(ip) : null;
  if (!ip || network === null) return [narrowest];
  if (network.endsWith('/24')) return [narrowest, { key: network, clients: IPV4_CLIENTS }];
  const wider = IPV6_NETWORKS.slice(1).map(([prefix, clients]) => ({ key: ipKeyGenerator(ip, prefix), clients }));
  return [narrowest, ...wider];
}

/** The key of the widest network around a client address: what one customer may have at most. */
export const widestNetwork = (ip: string | null | undefined): string => networksAround(ip).at(-1)!.key;

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

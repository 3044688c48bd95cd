import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** What one household or attacker has to itself. */
const IPV6_PREFIX = 64;

/** The client's address as limits count it: IPv6 by its /64. */
export function addressKey(ip: string | null | undefined): string {
  return ipKeyGenerator(ip ?? 'unknown', IPV6_PREFIX);
}

/**
 * The first of these that is an address. With TRUST_PROXY, who sends the header X-Forwarded-For can
 * write anything into it: what is stored and counted is an address, and no longer than one.
 */
export function parsedAddress(...candidates: readonly (string | undefined)[]): string | null {
  for (const candidate of candidates) {
    const [address] = candidate?.split('%') ?? []; // without the zone of a link-local one
    if (address && isIP(address)) return address;
  }
  return null;
}

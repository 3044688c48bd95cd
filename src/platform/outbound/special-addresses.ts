import { isIPv4, isIPv6 } from 'node:net';
import { isInList, subnetList } from '../../config/subnet-list';

/**
 * What no request to a tenant's address may reach: the entries of the IANA IPv4 Special-Purpose
 * Address Registry, multicast (RFC 5771), and the metadata service of Azure, which has a public
 * address. Those of other clouds are link-local, shared or unique local addresses.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private use
  '100.64.0.0/10', // shared address space
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure
  '169.254.0.0/16', // link-local
  '172.16.0.0/12', // private use
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private use
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
];

/** The only IPv6 addresses that the Internet routes (RFC 4291 section 2.4). */
const GLOBAL_UNICAST = ['2000::/3'];

/** The special ranges within them (IANA IPv6 Special-Purpose Address Registry). */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

/** The prefixes of addresses that stand for the IPv4 address in their last 32 bits. */
const IPV4_MAPPED = ['0', '0', '0', '0', '0', 'ffff']; // RFC 4291 section 2.5.5.2
const NAT64 = ['64', 'ff9b', '0', '0', '0', '0']; // RFC 6052 section 2.1

const specialIpv4 = subnetList(SPECIAL_IPV4);
const globalUnicast = subnetList(GLOBAL_UNICAST);
const specialIpv6 = subnetList(SPECIAL_IPV6);

/**
 * Whether an address is not one of the public Internet.
 * @param address as `plainAddress` returns it
 */
export function isSpecial(address: string): boolean {
  if (isIPv4(address)) return isInList(specialIpv4, address);
  return !isInList(globalUnicast, address) || isInList(specialIpv6, address);
}

/**
 * The address that a connection would reach: the IPv4 address in a mapped or NAT64 one, else the
 * address itself.
 * @returns undefined for a text that is no address, or one with a zone
 */
export function plainAddress(address: string): string | undefined {
  if (isIPv4(address)) return address;
  if (!isIPv6(address) || address.includes('%')) return undefined;
  const groups = groupsOf(address);
  const startsWith = (prefix: readonly string[]) => prefix.every((group, index) => groups[index] === group);
  if (!startsWith(IPV4_MAPPED) && !startsWith(NAT64)) return address;
  const [high, low] = groups.slice(6).map((group) => parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1); // without a dotted part
  const [head, tail = []] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

import { BlockList, isIP, isIPv4 } from 'node:net';

/** Whether a text is an address such as 203.0.113.7, or a subnet such as 2001:db8::/32. */
export const isNetwork = (text: unknown): boolean => typeof text === 'string' && partsOf(text) !== undefined;

/** @returns the subnets that are none, such as `10.0.0.0/33` */
export const invalidSubnets = (subnets: readonly string[]): string[] =>
  subnets.filter((subnet) => !subnet.includes('/') || !isNetwork(subnet));

/** A list of addresses and subnets such as `10.0.0.0/8`. @throws if one of them is none */
export function subnetList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const { address, bits } = partsOf(network)!;
    list.addSubnet(address, bits, familyOf(address));
  }
  return list;
}

/** Whether an address is in a list. An IPv4 address is the same if it is written as IPv6. */
export const isInList = (list: BlockList, address: string): boolean => list.check(address, familyOf(address));

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** The parts of an address, or of a subnet in CIDR notation (RFC 4632, RFC 4291). */
function partsOf(network: string): { address: string; bits: number } | undefined {
  const [, address = '', digits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
  const most = isIPv4(address) ? 32 : 128;
  const bits = digits === undefined ? most : Number(digits);
  return isIP(address) === 0 || bits > most ? undefined : { address, bits };
}

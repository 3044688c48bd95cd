import { BlockList, isIP, isIPv4 } from 'node:net';

/** @returns the subnets that are none, such as `10.0.0.0/33` */
export const invalidSubnets = (subnets: readonly string[]): string[] => subnets.filter((subnet) => !partsOf(subnet));

/** A list of subnets such as `10.0.0.0/8`. @throws if one of them is none */
export function subnetList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const { address, bits } = partsOf(subnet)!;
    list.addSubnet(address, bits, familyOf(address));
  }
  return list;
}

/** Whether an address is in a list. An IPv6 address is never taken for the IPv4 one in it. */
export const isInList = (list: BlockList, address: string): boolean => list.check(address, familyOf(address));

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

function partsOf(subnet: string): { address: string; bits: number } | undefined {
  const [, address = '', digits] = /^([^/%]+)\/(\d{1,3})$/.exec(subnet) ?? [];
  if (isIP(address) === 0 || Number(digits) > (isIPv4(address) ? 32 : 128)) return undefined;
  return { address, bits: Number(digits) };
}

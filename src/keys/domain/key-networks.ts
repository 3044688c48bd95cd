import { BlockList, isIP } from 'node:net';

/** An address range: its first address or any other one in it, and the length of the prefix. */
interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

/** An address or a range in CIDR notation (RFC 4632, RFC 4291); undefined for anything else. */
function networkOf(text: string): Network | undefined {
  const [address, prefix, ...more] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || more.length > 0) return undefined;
  const longest = version === 4 ? 32 : 128;
  if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest)) return undefined;
  return { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix: prefix === undefined ? longest : Number(prefix) };
}

/** Whether a text is an address such as 203.0.113.7, or a range such as 2001:db8::/32. */
export const isNetwork = (text: unknown): boolean => typeof text === 'string' && networkOf(text) !== undefined;

/** The addresses from which a key can be used; undefined: from all. */
export function allowedAddresses(networks: readonly string[]): BlockList | undefined {
  if (networks.length === 0) return undefined;
  const addresses = new BlockList();
  for (const { address, prefix, family } of networks.flatMap((text) => networkOf(text) ?? []))
    addresses.addSubnet(address, prefix, family);
  return addresses;
}

/** Whether an address is one of them. An IPv4 address is the same if it is written as IPv6. */
export function allows(addresses: BlockList | undefined, ip: string | null): boolean {
  if (!addresses) return true;
  return ip !== null && addresses.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
}

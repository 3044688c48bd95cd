import type { BlockList } from 'node:net';
import { isInList, subnetList } from '../../config/subnet-list';

/** The addresses from which a key can be used; undefined: from all. */
export const allowedAddresses = (networks: readonly string[]): BlockList | undefined =>
  networks.length === 0 ? undefined : subnetList(networks);

/** Whether an address is one of them. */
export const allows = (addresses: BlockList | undefined, ip: string | null): boolean =>
  !addresses || (ip !== null && isInList(addresses, ip));

import { Injectable } from '@nestjs/common';
import { Resolver } from 'node:dns/promises';
import { isLocalhost } from './address-policy';

/** Milliseconds for each of two queries of a name server. */
const QUERY_MS = 2000;

/**
 * Finds the addresses of a host. It asks the name servers itself: the resolver of the operating
 * system would occupy threads that hash passwords while a tenant's name server does not answer.
 */
@Injectable()
export class HostResolver {
  private readonly resolver = new Resolver({ timeout: QUERY_MS, tries: 2 });

  /** @returns every IPv4 and IPv6 address; none if the name does not exist or no server answers */
  async resolve(host: string): Promise<readonly string[]> {
    if (isLocalhost(host)) return ['127.0.0.1', '::1'];
    const found = await Promise.allSettled([this.resolver.resolve4(host), this.resolver.resolve6(host)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}

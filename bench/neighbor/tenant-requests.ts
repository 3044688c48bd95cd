import type { Agent } from 'node:http';
import { tokenFor } from '../access-tokens';
import { get } from '../latency-probe';
import { openAgent, timesOnSchedule, type Arrivals, type Send } from '../open-loop';
import type { SeededRandom } from '../../dev/stripe/seeded-random';
import type { Population } from '../population/tenant-population';
import { idOf } from '../seed-data';

/** What the Owner of a tenant reads. */
export const PAGES = ['members', 'later members', 'roles', 'me'] as const;
export type TenantPage = (typeof PAGES)[number];

/** The path of a page. @param cursor where the later members begin */
function pathOf(page: TenantPage, cursor: string): string {
  switch (page) {
    case 'members':
      return '/tenants/current/members?limit=100';
    case 'later members':
      return `/tenants/current/members?limit=100&cursor=${cursor}`;
    case 'roles':
      return '/tenants/current/roles';
    case 'me':
      return '/auth/me';
  }
}

/** Reads pages as the Owners of some tenants in turn. */
export class TenantReaders {
  private readonly agent = openAgent();
  private sent = 0;

  private constructor(
    private readonly url: string,
    private readonly owners: readonly { readonly token: string; readonly cursor: string }[],
  ) {}

  static async of(url: string, population: Population, tenants: readonly number[]): Promise<TenantReaders> {
    const owners = tenants.map(async (tenant) => ({
      token: await tokenFor(population.ownerOf(tenant), idOf(4, tenant)),
      cursor: cursorAfter(population.middleOf(tenant)),
    }));
    return new TenantReaders(url, await Promise.all(owners));
  }

  /** The latencies of all pages in turn, in milliseconds. @param random of intervals that vary */
  latencies(perSecond: number, seconds: number, random: SeededRandom): Promise<number[]> {
    return this.send({ perSecond, seconds, random });
  }

  /** Sends requests for all pages in turn, at constant intervals. @param signal ends it */
  async load(perSecond: number, signal: AbortSignal): Promise<void> {
    await this.send({ perSecond, seconds: Infinity, signal });
  }

  private send(arrivals: Pick<Arrivals, 'perSecond' | 'seconds' | 'random' | 'signal'>): Promise<number[]> {
    const send: Send = (agent) => {
      const n = this.sent++;
      return this.read(agent, n, PAGES[n % PAGES.length]);
    };
    return timesOnSchedule(send, { ...arrivals, agent: this.agent });
  }

  /** Closes the connections that the latencies were measured on. */
  close(): void {
    this.agent.destroy();
  }

  read(agent: Agent, n: number, page: TenantPage): Promise<number> {
    const { token, cursor } = this.owners[n % this.owners.length];
    return get(agent, `${this.url}/api/v1${pathOf(page, cursor)}`, token);
  }
}

/** After the membership with a number, by whose id the members are ordered. */
const cursorAfter = (membership: number) =>
  Buffer.from(idOf(6, membership + 1).replaceAll('-', ''), 'hex').toString('base64url');

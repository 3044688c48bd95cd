import { Agent } from 'node:http';
import { tokenFor } from '../access-tokens';
import { timeOf } from '../latency-probe';
import type { Population } from '../population/tenant-population';
import { emailOf, idOf, PASSWORD, refreshTokenOf } from '../seed-data';
import type { Rung } from './ladder-rung';

/** The requests whose cost may grow with the number of users. */
export const OPERATIONS = ['me', 'members', 'refresh', 'login'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** How many requests of each operation a database has answered. */
export type SentRequests = Record<Operation, number>;

/** Accounts that read pages, spread over all. */
const READERS = 1000;
/** Members of a page. Readers are in tenants that fill it, so that all databases return as many. */
const PAGE = 10;
/** Spreads the accounts of refreshes and logins; coprime to every power of ten. */
const STEP = 617;

/** Sends one request after the other as accounts that are spread over all. */
export class OperationClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  private constructor(
    private readonly url: string,
    private readonly rung: Rung,
    private readonly tokens: readonly string[],
  ) {}

  static async of(url: string, rung: Rung): Promise<OperationClient> {
    const { population } = rung;
    const accounts = Array.from({ length: READERS }, (_, n) =>
      inLargeTenant(population, 1 + Math.floor((n * population.users) / READERS)),
    );
    const tokens = accounts.map((i) => tokenFor(i, idOf(4, population.membershipOf(i).tenant)));
    return new OperationClient(url, rung, await Promise.all(tokens));
  }

  /** The latencies of some requests, in milliseconds. */
  async times(operation: Operation, count: number): Promise<number[]> {
    const times: number[] = [];
    for (let n = 0; n < count; n++) times.push(await this.send(operation));
    return times;
  }

  close(): void {
    this.agent.destroy();
  }

  /** An account is not used twice before all have been, because a refresh token is spent by use. */
  private send(operation: Operation): Promise<number> {
    const n = this.rung.sent[operation]++;
    const account = 1 + ((n * STEP) % this.rung.population.users);
    const get = (path: string) => {
      const headers = { authorization: `Bearer ${this.tokens[n % READERS]}` };
      return timeOf(this.agent, `${this.url}/api/v1${path}`, { headers });
    };
    const post = (path: string, body: object) => {
      const options = { method: 'POST', headers: { 'content-type': 'application/json' } };
      return timeOf(this.agent, `${this.url}/api/v1${path}`, options, JSON.stringify(body));
    };
    switch (operation) {
      case 'me':
        return get('/auth/me');
      case 'members':
        return get(`/tenants/current/members?limit=${PAGE}`);
      case 'refresh':
        return post('/auth/refresh', { refreshToken: refreshTokenOf(account) });
      case 'login':
        return post('/auth/login', { email: emailOf(account), password: PASSWORD });
    }
  }
}

/** The account, or the next one whose tenant fills a page. */
function inLargeTenant(population: Population, account: number): number {
  let found = account;
  while (population.sizes[population.membershipOf(found).tenant - 1] <= PAGE) found = 1 + (found % population.users);
  return found;
}

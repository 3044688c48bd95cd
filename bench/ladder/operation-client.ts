import { Agent } from 'node:http';
import { tokenFor } from '../access-tokens';
import { timedBody, timeOf } from '../latency-probe';
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
/** Accounts that sign in and refresh in the comparison of databases. */
export const ACTIVE = 6000;
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
    private readonly active: number,
  ) {}

  /** @param active how many accounts sign in and refresh, one after the other */
  static async of(url: string, rung: Rung, active: number): Promise<OperationClient> {
    const { population } = rung;
    const accounts = Array.from({ length: READERS }, (_, n) =>
      inLargeTenant(population, 1 + Math.floor((n * population.users) / READERS)),
    );
    const tokens = accounts.map((i) => tokenFor(i, idOf(4, population.membershipOf(i).tenant)));
    return new OperationClient(url, rung, await Promise.all(tokens), active);
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

  private send(operation: Operation): Promise<number> {
    const n = this.rung.sent[operation]++;
    const account = 1 + (((n % this.active) * STEP) % this.rung.population.users);
    switch (operation) {
      case 'me':
        return this.get('/auth/me', n);
      case 'members':
        return this.get(`/tenants/current/members?limit=${PAGE}`, n);
      case 'refresh':
        return this.refresh(account);
      case 'login':
        return this.post('/auth/login', { email: emailOf(account), password: PASSWORD }).then(({ time }) => time);
    }
  }

  private get(path: string, n: number): Promise<number> {
    const headers = { authorization: `Bearer ${this.tokens[n % READERS]}` };
    return timeOf(this.agent, `${this.url}/api/v1${path}`, { headers });
  }

  /** A refresh token is spent by its use, so the account continues with the one it receives. */
  private async refresh(account: number): Promise<number> {
    const { refreshTokens } = this.rung;
    const refreshToken = refreshTokens.get(account) ?? refreshTokenOf(account);
    const { text, time } = await this.post('/auth/refresh', { refreshToken });
    refreshTokens.set(account, (JSON.parse(text) as { data: { refreshToken: string } }).data.refreshToken);
    return time;
  }

  private post(path: string, body: object) {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' } };
    return timedBody(this.agent, `${this.url}/api/v1${path}`, options, JSON.stringify(body));
  }
}

/** The account, or the next one whose tenant fills a page. */
function inLargeTenant(population: Population, account: number): number {
  let found = account;
  while (population.sizes[population.membershipOf(found).tenant - 1] <= PAGE) found = 1 + (found % population.users);
  return found;
}

import type { Agent } from 'node:http';
import { tokenFor } from '../access-tokens';
import { get, jsonOf, timeOf } from '../latency-probe';
import type { Send } from '../open-loop';
import type { Population } from '../population/tenant-population';
import { emailOf, idOf, PASSWORD, refreshTokenOf } from '../seed-data';

/** Of a hundred requests, in an order that spreads the kinds. */
const SHARES = { me: 44, members: 20, roles: 8, notifications: 10, refresh: 10, rename: 4, login: 2, live: 2 };
type Kind = keyof typeof SHARES;

const KINDS = (Object.entries(SHARES) as [Kind, number][])
  .flatMap(([kind, share]) => Array.from({ length: share }, (_, n) => ({ kind, place: (n + 0.5) / share })))
  .sort((a, b) => a.place - b.place)
  .map(({ kind }) => kind);

const PATHS: Readonly<Partial<Record<Kind, string>>> = {
  me: '/auth/me',
  members: '/tenants/current/members',
  roles: '/tenants/current/roles',
  notifications: '/notifications',
  live: '/health/live',
};

/** Accounts that are active. Large tenants have more of them, because accounts are drawn evenly. */
const ACTIVE = 5000;

/** What users send, each kind with its share. */
export class MixedRequests {
  private refreshes = 0;

  private constructor(
    private readonly url: string,
    private readonly accounts: readonly number[],
    private readonly tokens: string[],
    private readonly refreshTokens: string[],
  ) {}

  static async of(url: string, population: Population): Promise<MixedRequests> {
    const accounts = Array.from({ length: ACTIVE }, (_, n) => 1 + Math.floor((n * population.users) / ACTIVE));
    const tokens = accounts.map((i) => tokenFor(i, idOf(4, population.membershipOf(i).tenant)));
    return new MixedRequests(url, accounts, await Promise.all(tokens), accounts.map(refreshTokenOf));
  }

  readonly send: Send = (agent, n) => {
    const kind = KINDS[n % KINDS.length];
    const user = (n * 7) % ACTIVE;
    const path = PATHS[kind];
    if (path) return get(agent, `${this.url}/api/v1${path}`, this.tokens[user]);
    if (kind === 'refresh') return this.refresh(agent);
    if (kind === 'rename') return this.post(agent, 'PATCH', '/users/me', { name: `Renamed ${n}` }, this.tokens[user]);
    return this.post(agent, 'POST', '/auth/login', { email: emailOf(this.accounts[user]), password: PASSWORD });
  };

  /** The sessions in turn, each with the token of its last refresh. */
  private async refresh(agent: Agent): Promise<number> {
    const user = this.refreshes++ % ACTIVE;
    const body = JSON.stringify({ refreshToken: this.refreshTokens[user] });
    const start = performance.now();
    const options = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const { data } = await jsonOf<{ data: Pair }>(agent, `${this.url}/api/v1/auth/refresh`, options, body);
    this.refreshTokens[user] = data.refreshToken;
    this.tokens[user] = data.accessToken;
    return performance.now() - start;
  }

  private post(agent: Agent, method: string, path: string, body: object, token?: string): Promise<number> {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    return timeOf(agent, `${this.url}/api/v1${path}`, { method, headers }, JSON.stringify(body));
  }
}

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

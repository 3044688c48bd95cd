import { randomUUID } from 'node:crypto';
import autocannon, { type Client, type Options, type Request, type Result } from 'autocannon';
import { CONNECTIONS, LOGIN_CONNECTIONS } from './driver-connections';
import { PASSWORD, emailOf, refreshTokenOf } from './seed-data';
import { WEBHOOK, type Delivery } from './webhook-deliveries';

/** The results of a driver. */
export interface Measured {
  readonly answered: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** @throws when a response is not 200 or missing */
export async function drive(options: Options): Promise<Measured> {
  const result: Result = await autocannon(options);
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests to ${options.url.toString()} failed`);
  return {
    answered: result['2xx'],
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

const JSON_BODY = { 'content-type': 'application/json' };

/** GET of a public page. */
export const anonymous = (url: string, path: string, seconds: number) =>
  drive({ url: `${url}/api/v1${path}`, connections: CONNECTIONS, duration: seconds });

export const live = (url: string, seconds: number) => anonymous(url, '/health/live', seconds);

/** GET /auth/me as many users in turn. */
export const me = (url: string, tokens: string[], seconds: number) => pages(url, '/auth/me', tokens, seconds);

/** GET of a page as many users in turn. */
export const pages = (url: string, path: string, tokens: string[], seconds: number) =>
  asUsers(url, { method: 'GET', path: `/api/v1${path}` }, tokens, seconds, () => ({}));

/** PATCH /users/me as many users in turn, each time with another name. */
export const profile = (url: string, tokens: string[], seconds: number) =>
  asUsers(url, { method: 'PATCH', path: '/api/v1/users/me', headers: JSON_BODY }, tokens, seconds, (n) => ({
    body: JSON.stringify({ name: `Renamed ${n}` }),
  }));

/**
 * POST /tenants/current/projects as many users in turn.
 * @param isKeyed each with a new Idempotency-Key
 */
export const newProjects = (url: string, tokens: string[], isKeyed: boolean, seconds: number) =>
  asUsers(url, { method: 'POST', path: '/api/v1/tenants/current/projects' }, tokens, seconds, (n) => ({
    body: JSON.stringify({ name: `Project ${n}` }),
    headers: { ...JSON_BODY, ...(isKeyed ? { 'idempotency-key': randomUUID() } : {}) },
  }));

/** @param more what the n-th request has besides its token */
function asUsers(
  url: string,
  asked: Request,
  tokens: string[],
  seconds: number,
  more: (n: number) => Partial<Request>,
): Promise<Measured> {
  let next = 0;
  const setupRequest = (request: Request) => {
    const n = next++;
    const headers = { ...asked.headers, authorization: `Bearer ${tokens[n % tokens.length]}` };
    const own = more(n);
    return { ...request, ...own, headers: { ...headers, ...own.headers } };
  };
  return drive({ url, connections: CONNECTIONS, duration: seconds, requests: [{ ...asked, setupRequest }] });
}

/** POST /auth/login as many users in turn. */
export function login(url: string, users: number, seconds: number): Promise<Measured> {
  let next = 0;
  const setupRequest = (request: Request) => ({
    ...request,
    body: JSON.stringify({ email: emailOf((next++ % users) + 1), password: PASSWORD }),
  });
  return drive({
    url,
    connections: LOGIN_CONNECTIONS,
    duration: seconds,
    requests: [{ method: 'POST', path: '/api/v1/auth/login', headers: JSON_BODY, setupRequest }],
  });
}

/**
 * POST /auth/refresh: each connection rotates the token of its own session.
 * @param first number of the first account whose token is unused
 */
export function refresh(url: string, first: number, chains: number, seconds: number): Promise<Measured> {
  let chain = first;
  const setupClient = (client: Client) => {
    let token = refreshTokenOf(chain++);
    const body = () => client.setBody(JSON.stringify({ refreshToken: token }));
    body();
    client.on('body', (answer: Buffer) => {
      token = (JSON.parse(answer.toString()) as { data?: { refreshToken: string } }).data?.refreshToken ?? token;
      body();
    });
  };
  return drive({
    url: `${url}/api/v1/auth/refresh`,
    method: 'POST',
    headers: JSON_BODY,
    connections: chains,
    duration: seconds,
    setupClient,
  });
}

const DELIVERY_CONNECTIONS = 16;

/**
 * POST of deliveries, each at most once: a connection prepares its next request before it knows
 * whether it will be sent. The rate is that until the last response, because autocannon ends a run
 * of a fixed amount at the next full second.
 */
export async function deliver(url: string, deliveries: readonly Delivery[]): Promise<Measured> {
  let next = 0;
  const start = performance.now();
  let end = start;
  const measured = await drive({
    url,
    connections: DELIVERY_CONNECTIONS,
    amount: deliveries.length - DELIVERY_CONNECTIONS,
    requests: [{ method: 'POST', path: WEBHOOK, setupRequest: (request) => ({ ...request, ...deliveries[next++] }) }],
    setupClient: (client) => client.on('response', () => (end = performance.now())),
  });
  return { ...measured, perSecond: (measured.answered * 1000) / (end - start) };
}

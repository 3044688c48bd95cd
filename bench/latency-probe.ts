import { Agent, request, type RequestOptions } from 'node:http';
import { WEBHOOK, type Delivery } from './webhook-deliveries';
import { median, percentile } from './statistics';

const PER_SECOND = 100;

/**
 * Latencies in milliseconds at a constant rate. Requests do not wait for earlier responses, so that
 * a stall is measured.
 */
async function timesAtRate(
  perSecond: number,
  count: number,
  ask: (agent: Agent, i: number) => Promise<number>,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const pending: Promise<number>[] = [];
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const due = start + (i * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    pending.push(ask(agent, i));
  }
  const times = await Promise.all(pending);
  agent.destroy();
  return times;
}

/** The 99th percentile of GET /auth/me at a constant rate. */
export const p99OfMe = async (url: string, token: string, seconds: number) =>
  percentile(
    await timesAtRate(PER_SECOND, PER_SECOND * seconds, (agent) => get(agent, `${url}/api/v1/auth/me`, token)),
    99,
  );

/** The median of sequential GET /auth/me by one client. */
export const medianOfMe = (url: string, token: string, seconds: number) => medianOf(url, '/auth/me', token, seconds);

/** The median of sequential GETs of a path by one client. */
export async function medianOf(url: string, path: string, token: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) times.push(await get(agent, `${url}/api/v1${path}`, token));
  agent.destroy();
  return median(times);
}

const get = (agent: Agent, url: string, token: string) =>
  ask(agent, url, { headers: { authorization: `Bearer ${token}` } });

/** The 99th percentile of deliveries at a constant rate, each sent once. */
export const p99OfDeliveries = async (url: string, deliveries: readonly Delivery[], perSecond: number) => {
  const post = (agent: Agent, i: number) =>
    ask(agent, `${url}${WEBHOOK}`, { method: 'POST', headers: deliveries[i].headers }, deliveries[i].body);
  return percentile(await timesAtRate(perSecond, deliveries.length, post), 99);
};

/** Milliseconds until the response is complete. */
function ask(agent: Agent, url: string, options: RequestOptions, body?: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} returned ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - start));
    })
      .on('error', reject)
      .end(body);
  });
}

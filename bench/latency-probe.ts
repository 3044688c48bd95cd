import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { WEBHOOK, type Delivery } from './webhook-deliveries';
import { timesOnSchedule } from './open-loop';
import { median, percentile } from './statistics';

const PER_SECOND = 100;

/** The 99th percentile of GET /auth/me at a constant rate. */
export async function p99OfMe(url: string, token: string, seconds: number): Promise<number> {
  const send = (agent: Agent) => get(agent, `${url}/api/v1/auth/me`, token);
  return percentile(await timesOnSchedule(send, { perSecond: PER_SECOND, seconds }), 99);
}

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

export const get = (agent: Agent, url: string, token: string) =>
  timeOf(agent, url, { headers: { authorization: `Bearer ${token}` } });

/** The 99th percentile of deliveries at a constant rate, each sent once. */
export async function p99OfDeliveries(url: string, deliveries: readonly Delivery[], perSecond: number) {
  const post = (agent: Agent, i: number) =>
    timeOf(agent, `${url}${WEBHOOK}`, { method: 'POST', headers: deliveries[i].headers }, deliveries[i].body);
  const seconds = Math.floor(deliveries.length / perSecond);
  return percentile(await timesOnSchedule(post, { perSecond, seconds }), 99);
}

/** Milliseconds until the response is complete. The body is not kept, to save the driver time. */
export async function timeOf(agent: Agent, url: string, options: RequestOptions, body?: string): Promise<number> {
  const start = performance.now();
  const response = await responseTo(agent, url, options, body);
  await finished(response.resume());
  return performance.now() - start;
}

/** The response, and the milliseconds until it is complete. */
export async function timedBody(agent: Agent, url: string, options: RequestOptions, body?: string) {
  const start = performance.now();
  const received = await bodyOf(agent, url, options, body);
  return { text: received, time: performance.now() - start };
}

/** The JSON of a response. */
export const jsonOf = async <T>(agent: Agent, url: string, options: RequestOptions, body: string): Promise<T> =>
  JSON.parse(await bodyOf(agent, url, options, body)) as T;

const bodyOf = async (agent: Agent, url: string, options: RequestOptions, body?: string): Promise<string> =>
  text(await responseTo(agent, url, options, body));

/** @throws when the status is not 200 */
function responseTo(agent: Agent, url: string, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent }, (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      reject(new Error(`${url} returned ${response.statusCode}`));
    })
      .on('error', reject)
      .end(body);
  });
}

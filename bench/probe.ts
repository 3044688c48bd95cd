import { Agent, get } from 'node:http';

const PER_SECOND = 100;

/** The 99th percentile, in milliseconds, of GET /auth/me at a steady rate: arrivals do not wait for answers, so that a stall is felt. */
export async function p99OfMe(url: string, token: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const pending: Promise<number>[] = [];
  const start = performance.now();
  for (let i = 0; i < PER_SECOND * seconds; i++) {
    const due = start + (i * 1000) / PER_SECOND;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    pending.push(ask(agent, url, token));
  }
  const times = (await Promise.all(pending)).sort((a, b) => a - b);
  agent.destroy();
  return times[Math.floor(times.length * 0.99)];
}

function ask(agent: Agent, url: string, token: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(`${url}/api/v1/auth/me`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`me answered ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - start));
    }).on('error', reject);
  });
}

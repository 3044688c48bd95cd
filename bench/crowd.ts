import { Agent } from 'node:http';
import autocannon from 'autocannon';
import { emailOf, PASSWORD } from './data';
import type { Bench } from './billing';
import { median } from './median';
import { ask } from './probe';
import type { BenchServer } from './servers';

const LOGIN = '/api/v1/auth/login';
/** Logins at a time from one address; and how many are counted in a round from others. */
const CROWD = 140;
const OTHERS = 15;

const bodyOf = (account: number) => JSON.stringify({ email: emailOf(account), password: PASSWORD });
const headersFrom = (address: string) => ({ 'content-type': 'application/json', 'x-forwarded-for': address });

/** Milliseconds that logins take, each from an address of its own, one after the other. */
async function timesOfLogins(url: string, round: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let i = 1; i <= OTHERS; i++) {
    times.push(await ask(agent, `${url}${LOGIN}`, { method: 'POST', headers: headersFrom(`198.51.${round}.${i}`) }, bodyOf(i)));
  }
  agent.destroy();
  return times;
}

/** How long a login takes at rest, and while 140 at a time come from one other address: milliseconds, the median of the rounds. */
export async function compareCrowd({ url }: BenchServer, { rounds, say }: Bench) {
  await timesOfLogins(url, 0);
  const figures = { atRest: [] as number[], meanwhile: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    figures.atRest.push(median(await timesOfLogins(url, 2 * round)));
    const requests = [{ method: 'POST' as const, path: LOGIN, headers: headersFrom('192.0.2.1'), body: bodyOf(100) }];
    const crowd = autocannon({ url, connections: CROWD, workers: 1, duration: 30, requests });
    await new Promise((resolve) => setTimeout(resolve, 1000)); // until it stands
    figures.meanwhile.push(median(await timesOfLogins(url, 2 * round + 1)));
    (crowd as unknown as { stop: () => void }).stop();
    await crowd;
    say(
      `  login: ${figures.atRest.at(-1)!.toFixed(1)} ms at rest, ${figures.meanwhile.at(-1)!.toFixed(1)} ms while ${CROWD} wait from another address`,
    );
  }
  return { atRest: median(figures.atRest), meanwhile: median(figures.meanwhile) };
}

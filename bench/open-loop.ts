import { Agent } from 'node:http';
import type { SeededRandom } from '../dev/stripe/seeded-random';

/** Sends one request. @returns its duration in milliseconds */
export type Send = (agent: Agent, n: number) => Promise<number>;

/** How requests arrive. */
export interface Arrivals {
  readonly perSecond: number;
  readonly seconds: number;
  /** Keeps connections for later requests; by default these have connections of their own. */
  readonly agent?: Agent;
  /**
   * Draws the intervals, which are exponentially distributed, as those of independent clients; by
   * default they are constant. Two loads with constant intervals always collide, or never.
   */
  readonly random?: SeededRandom;
  /** Once it is aborted, no further request is sent. */
  readonly signal?: AbortSignal;
  /** When each response has come. @param latency since the scheduled time, in milliseconds */
  readonly onAnswer: (latency: number, n: number) => void;
  readonly onError: (error: Error, n: number) => void;
}

const SOCKETS = 128;

/** An agent with enough connections for requests that are not yet answered. */
export const openAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: SOCKETS });

/**
 * Sends requests at scheduled times, whether or not earlier ones have been answered. A latency
 * counts from the scheduled time, so that requests that a stall delays are not left out.
 */
export async function sendOnSchedule(
  send: Send,
  { perSecond, seconds, agent: kept, random, signal, onAnswer, onError }: Arrivals,
): Promise<void> {
  const agent = kept ?? openAgent();
  const pending = new Set<Promise<void>>();
  const interval = 1000 / perSecond;
  const start = performance.now();
  for (let n = 0, sum = 0; n < perSecond * seconds; n++) {
    sum += random ? -Math.log(1 - random.next()) * interval : interval;
    const due = start + sum;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (signal?.aborted) break;
    const answer = send(agent, n)
      .then(() => onAnswer(performance.now() - due, n))
      .catch((error: Error) => onError(error, n))
      .finally(() => pending.delete(answer));
    pending.add(answer);
  }
  await Promise.all(pending);
  if (!kept) agent.destroy();
}

/** The latencies of requests that must all succeed, in milliseconds. */
export async function timesOnSchedule(send: Send, arrivals: Omit<Arrivals, 'onAnswer' | 'onError'>): Promise<number[]> {
  const times: number[] = [];
  const errors: Error[] = [];
  const onAnswer = (latency: number) => times.push(latency);
  await sendOnSchedule(send, { ...arrivals, onAnswer, onError: (error) => errors.push(error) });
  if (errors.length > 0) throw errors[0];
  return times;
}

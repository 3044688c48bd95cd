import type { OpenAPIObject } from '@nestjs/swagger';
import { ACTORS, type ActorName } from './actors';
import { Cast } from './cast';
import { Dice, seedOf } from './dice';
import { memoryOf } from './memory';
import type { Operation } from './operations';
import { bytesOf, send, type FuzzRequest } from './request';
import { Requests } from './requests';
import { Verdict } from './verdict';
import type { WorldMaker } from './world';

/** What a run is to do. */
export interface FuzzPlan {
  readonly seed: number;
  /** Per operation and actor. */
  readonly requests: number;
  readonly operations: readonly Operation[];
  /** Where the service answers. */
  readonly address: string;
  readonly document: OpenAPIObject;
  readonly worlds: WorldMaker;
  readonly progress: (line: string) => void;
}

export interface FuzzReport {
  readonly sent: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** What was not as promised, with what repeats it. */
  readonly breaches: readonly string[];
  /** Megabytes of the service: when a tenth of the operations was done, and at the end. */
  readonly memory: { readonly early: number; readonly late: number };
}

/** After so many requests it is looked whether the actor is still signed in and their tenant is there. */
const CHECK_EVERY = 10;
/** Megabytes that the service may grow between the first tenth of a run and its end. */
const GROWTH_MB = 150;

/** Sends requests of every operation as every actor, one after the other, and compares each answer with what the API document promises. */
export async function runFuzz(plan: FuzzPlan): Promise<FuzzReport> {
  const verdict = new Verdict(plan.document);
  const cast = new Cast(plan.address, plan.worlds);
  const breaches: string[] = [];
  const statuses: Record<string, number> = {};
  let [sent, early] = [0, 0];
  for (const [index, operation] of plan.operations.entries()) {
    if (index === Math.ceil(plan.operations.length / 10)) early = await memoryOf(plan.address);
    plan.progress(`${index + 1}/${plan.operations.length} ${operation.id}: ${sent} requests, ${breaches.length} breaches`);
    for (const actor of ACTORS) {
      const requests = new Requests(plan.document, new Dice(seedOf(plan.seed, `${operation.id} ${actor}`))); // repeatable one by one
      let { world, token } = await cast.with(actor);
      for (let n = 1; n <= plan.requests; n++) {
        if (n % CHECK_EVERY === 0) ({ world, token } = await cast.with(actor));
        const request = requests.next(operation, world, token);
        const found = await judge(plan, verdict, operation, actor, request, statuses);
        if (found) breaches.push(`${operation.id} as ${actor}, request ${n}: ${found}\n    ${shown(request)}`);
        sent++;
      }
    }
  }
  const late = await memoryOf(plan.address);
  early ||= late;
  if (late - early > GROWTH_MB) breaches.push(`The service grew from ${early} to ${late} MB.`);
  return { sent, statuses, breaches, memory: { early, late } };
}

async function judge(
  { address }: FuzzPlan,
  verdict: Verdict,
  operation: Operation,
  actor: ActorName,
  request: FuzzRequest,
  statuses: Record<string, number>,
): Promise<string | undefined> {
  try {
    const answer = await send(address, request);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    return verdict.of(operation, actor, request, answer);
  } catch (error) {
    return `was not answered: ${(error as Error).message}`;
  }
}

/** What a person needs to send it again. */
function shown(request: FuzzRequest): string {
  const { method, path, query, headers } = request;
  const { authorization, ...others } = headers;
  const body = bytesOf(request)?.toString('latin1').slice(0, 300) ?? '';
  return `${method} ${path}${query ? `?${query}` : ''} ${JSON.stringify(others)}${authorization ? ' with a token' : ''} ${body}`.slice(0, 800);
}

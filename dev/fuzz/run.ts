import type { OpenAPIObject } from '@nestjs/swagger';
import { ACTORS, type ActorName } from './actors';
import { SignedInWorld } from './signed-in-world';
import { FuzzRandom, seedOf } from './fuzz-random';
import { findLeak, type MemoryProbe } from './memory-check';
import type { Operation } from './operations';
import { prepare, type Prepared } from './preparations';
import { bytesOf, send, type FuzzAnswer, type FuzzRequest } from './request';
import { RequestGenerator, type Caller } from './request-generator';
import { isSuccessful, SuccessTracker } from './success-tracker';
import { ResponseCheck } from './response-check';
import type { WorldFactory } from './world';

/** What a run is to do. */
export interface FuzzPlan {
  readonly seed: number;
  /** Per operation and actor. */
  readonly requests: number;
  readonly operations: readonly Operation[];
  /** Where the service answers. */
  readonly address: string;
  readonly document: OpenAPIObject;
  readonly worlds: WorldFactory;
  readonly memory: MemoryProbe;
  readonly progress: (line: string) => void;
}

export interface FuzzReport {
  readonly sent: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Operations that never succeeded and need not. */
  readonly excused: readonly string[];
  /** What was not as promised, with what repeats it. */
  readonly breaches: readonly string[];
}

/** After so many requests the actor gets another world, where something was changed in theirs. */
const CHECK_EVERY = 10;
/** How often a request is given what it needs to succeed. */
const PREPARED = 0.5;
/** How often memory is looked at. */
const MEMORY_SAMPLES = 9;

/**
 * Sends requests of every operation as every actor, one after the other, and compares each answer
 * with what the API document promises.
 */
export async function runFuzz(plan: FuzzPlan): Promise<FuzzReport> {
  const run = new Run(plan);
  const { operations, memory, progress } = plan;
  const turns = operations.flatMap((operation) => ACTORS.map((actor) => ({ operation, actor })));
  const sampleEvery = Math.ceil(turns.length / MEMORY_SAMPLES);
  for (const [index, { operation, actor }] of turns.entries()) {
    if (index > 0 && index % sampleEvery === 0) await memory.sample(run.sent);
    if (actor === ACTORS[0]) progress(`${operation.id}: ${run.sent} requests, ${run.breaches.length} breaches`);
    await run.as(actor, operation);
  }
  await memory.sample(run.sent);
  const leak = findLeak(memory.samples);
  const { sent, statuses, successes } = run;
  const breaches = [...run.breaches, ...successes.missing(operations), ...(leak ? [leak] : [])];
  return { sent, statuses, excused: successes.excused(operations), breaches };
}

/** What has come of a run so far. */
class Run {
  sent = 0;
  readonly statuses: Record<string, number> = {};
  readonly breaches: string[] = [];
  readonly successes = new SuccessTracker();
  private readonly signedInWorld: SignedInWorld;
  private readonly responseCheck: ResponseCheck;

  constructor(private readonly plan: FuzzPlan) {
    this.signedInWorld = new SignedInWorld(plan.address, plan.worlds);
    this.responseCheck = new ResponseCheck(plan.document);
  }

  /**
   * All requests of one operation as one actor, the first of them plain. A world that something was
   * changed in is left; a deletion spoils it at once.
   */
  async as(actor: ActorName, operation: Operation): Promise<void> {
    const { seed, document } = this.plan;
    const random = new FuzzRandom(seedOf(seed, `${operation.id} ${actor}`)); // repeatable one by one
    const requests = new RequestGenerator(document, random);
    let caller: Caller = { actor, ...(await this.signedInWorld.with(actor)) };
    for (let n = 1; n <= this.plan.requests; n++) {
      if (n % CHECK_EVERY === 0) caller = { actor, ...(await this.signedInWorld.with(actor)) };
      const isPlain = n === 1;
      const isPrepared = random.happens(PREPARED);
      const prepared = isPlain || isPrepared ? await this.prepared(operation, caller, isPlain) : {};
      const request = isPlain
        ? requests.plain(operation, caller, prepared)
        : requests.next(operation, caller, prepared);
      const answer = await this.judge(operation, actor, n, request);
      if (answer) this.successes.note(operation, actor, request, answer, isPlain);
      if (!answer || !isSuccessful(answer) || !operation.isGuarded || operation.method === 'GET') continue;
      this.signedInWorld.leave();
      if (operation.method === 'DELETE') caller = { actor, ...(await this.signedInWorld.with(actor)) };
    }
  }

  /**
   * @throws in a new world; in one that requests have changed there may be nothing left to prepare
   */
  private async prepared({ id }: Operation, { world, actor }: Caller, isNewWorld: boolean): Promise<Prepared> {
    try {
      return await prepare(id, this.plan.worlds.fixtures, world, actor);
    } catch (error) {
      if (isNewWorld) throw error;
      return {};
    }
  }

  /** @returns the answer, where there is one */
  private async judge(
    operation: Operation,
    actor: ActorName,
    n: number,
    request: FuzzRequest,
  ): Promise<FuzzAnswer | undefined> {
    this.sent++;
    const breach = (found: string) =>
      this.breaches.push(`${operation.id} as ${actor}, request ${n}: ${found}\n    ${shown(request)}`);
    try {
      const answer = await send(this.plan.address, request);
      this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
      const found = this.responseCheck.of(operation, actor, request, answer);
      if (found) breach(found);
      return answer;
    } catch (error) {
      breach(`was not answered: ${(error as Error).message}`);
      return undefined;
    }
  }
}

/** What a person needs to send it again. */
function shown(request: FuzzRequest): string {
  const { method, path, query, headers } = request;
  const { authorization, ...others } = headers;
  const body = bytesOf(request)?.toString('latin1').slice(0, 300) ?? '';
  return `${method} ${path}${query ? `?${query}` : ''} ${JSON.stringify(others)}${authorization ? ' with a token' : ''} ${body}`.slice(
    0,
    800,
  );
}

import type { OpenAPIObject } from '@nestjs/swagger';
import { ACTORS, type ActorName } from './actors';
import { SignedInTestTenants } from './signed-in-test-tenants';
import { FuzzRandom, seedOf } from './fuzz-random';
import { findLeak, type MemoryProbe } from './memory-check';
import type { Operation } from './operations';
import { prepare, type Prepared } from './preparations';
import { bytesOf, send, type FuzzAnswer, type FuzzRequest } from './request';
import { RequestGenerator, type Caller } from './request-generator';
import { isSuccessful, SuccessTracker } from './success-tracker';
import { ResponseCheck } from './response-check';
import type { TestTenantsFactory } from './test-tenants';

/** The parameters of a run. */
export interface FuzzPlan {
  readonly seed: number;
  /** Per operation and actor. */
  readonly requests: number;
  readonly operations: readonly Operation[];
  /** Base URL of the service. */
  readonly address: string;
  readonly document: OpenAPIObject;
  readonly factory: TestTenantsFactory;
  readonly memory: MemoryProbe;
  readonly progress: (line: string) => void;
}

export interface FuzzReport {
  readonly sent: number;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Operations that never succeeded but need not. */
  readonly excused: readonly string[];
  /** Violations of the API document, each with the request that repeats it. */
  readonly breaches: readonly string[];
}

/** After this many requests the actor gets new test tenants if the current ones were changed. */
const CHECK_EVERY = 10;
/** Share of requests that get the data they need to succeed. */
const PREPARED = 0.5;
/** Number of memory samples in a run. */
const MEMORY_SAMPLES = 9;
/** Operations that are tested at once, each with its own test tenants. */
const AT_ONCE = 4;

/**
 * Sends requests of every operation as every actor, and checks each response against the API
 * document. The requests of one operation are sent one after the other.
 */
export async function runFuzz(plan: FuzzPlan): Promise<FuzzReport> {
  const run = new Run(plan);
  const { operations, memory } = plan;
  const sampleEvery = Math.ceil(operations.length / MEMORY_SAMPLES);
  const waiting = operations.entries();
  const takeTurns = async () => {
    const signedInTenants = new SignedInTestTenants(plan.address, plan.factory);
    for (const [index, operation] of waiting) {
      if (index > 0 && index % sampleEvery === 0) await memory.sample(run.sent);
      plan.progress(`${operation.id}: ${run.sent} requests, ${run.breaches.length} breaches`);
      for (const actor of ACTORS) await run.as(actor, operation, signedInTenants);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  await memory.sample(run.sent);
  const leak = findLeak(memory.samples);
  const { sent, statuses, successes } = run;
  const unproven = await plan.factory.fixtures.factors.unprovenSessions();
  const breaches = [...run.breaches, ...unproven, ...successes.missing(operations), ...(leak ? [leak] : [])];
  return { sent, statuses, excused: successes.excused(operations), breaches };
}

/** The state of a run. */
class Run {
  sent = 0;
  readonly statuses: Record<string, number> = {};
  readonly breaches: string[] = [];
  readonly successes = new SuccessTracker();
  private readonly responseCheck: ResponseCheck;

  constructor(private readonly plan: FuzzPlan) {
    this.responseCheck = new ResponseCheck(plan.document);
  }

  /**
   * Sends all requests of one operation as one actor. The first one is plain. Changed tenants are
   * replaced later, after a deletion at once.
   */
  async as(actor: ActorName, operation: Operation, signedInTenants: SignedInTestTenants): Promise<void> {
    const { seed, document } = this.plan;
    // each operation and actor can be repeated alone
    const random = new FuzzRandom(seedOf(seed, `${operation.id} ${actor}`));
    const requests = new RequestGenerator(document, random);
    let caller: Caller = { actor, ...(await signedInTenants.forActor(actor)) };
    for (let n = 1; n <= this.plan.requests; n++) {
      if (n % CHECK_EVERY === 0) caller = { actor, ...(await signedInTenants.forActor(actor)) };
      const isPlain = n === 1;
      const isPrepared = random.happens(PREPARED);
      const prepared = isPlain || isPrepared ? await this.prepared(operation, caller, isPlain) : {};
      const request = isPlain
        ? requests.plain(operation, caller, prepared)
        : requests.next(operation, caller, prepared);
      const answer = await this.sendAndCheck(operation, actor, n, request);
      if (answer) this.successes.note(operation, actor, request, answer, isPlain);
      if (!answer || !isSuccessful(answer) || !operation.isGuarded || operation.method === 'GET') continue;
      signedInTenants.discard((request.isForeign || prepared.changesForeign) ?? false);
      if (operation.method === 'DELETE') caller = { actor, ...(await signedInTenants.forActor(actor)) };
    }
  }

  /**
   * @throws with new test tenants. With changed ones, the data to prepare from may be deleted
   */
  private async prepared({ id }: Operation, { tenants, actor }: Caller, areNew: boolean): Promise<Prepared> {
    try {
      return await prepare(id, this.plan.factory.fixtures, tenants, actor);
    } catch (error) {
      if (areNew) throw error;
      return {};
    }
  }

  /** Sends a request and checks the response. @returns the response, if there was one */
  private async sendAndCheck(
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
      breach(`no response: ${(error as Error).message}`);
      return undefined;
    }
  }
}

/** The request as text, to send it again. */
function shown(request: FuzzRequest): string {
  const { method, path, query, headers } = request;
  const { authorization, ...others } = headers;
  const body = bytesOf(request)?.toString('latin1').slice(0, 300) ?? '';
  const target = query ? `${path}?${query}` : path;
  const token = authorization ? ' with a token' : '';
  return `${method} ${target} ${JSON.stringify(others)}${token} ${body}`.slice(0, 800);
}

import type { OpenAPIObject } from '@nestjs/swagger';
import { ACTORS, isIn, signIn, type ActorName, type Tokens } from './actors';
import { Dice, seedOf } from './dice';
import { memoryOf } from './memory';
import { operationsOf, type Operation } from './operations';
import { bytesOf, send, type FuzzRequest } from './request';
import { Requests } from './requests';
import { Verdict } from './verdict';
import type { World, WorldMaker } from './world';

/** What a run is to do. */
export interface FuzzPlan {
  readonly seed: number;
  /** Per operation and actor. */
  readonly requests: number;
  /** Only this operation; all where it is undefined. */
  readonly operation?: string;
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

/** After so many requests the actor may have been signed out, or the tenant deleted: then there are new ones. */
const CHECK_EVERY = 10;
/** Megabytes that the service may grow between the first tenth of a run and its end. */
const GROWTH_MB = 150;

/** Sends requests of every operation as every actor, one after the other, and compares each answer with what the API document promises. */
export async function runFuzz(plan: FuzzPlan): Promise<FuzzReport> {
  const verdict = new Verdict(plan.document);
  const operations = operationsOf(plan.document).filter(({ id }) => plan.operation === undefined || id === plan.operation);
  const breaches: string[] = [];
  const statuses: Record<string, number> = {};
  let [sent, early] = [0, 0];
  for (const [index, operation] of operations.entries()) {
    if (index === Math.ceil(operations.length / 10)) early = await memoryOf(plan.address);
    plan.progress(`${index + 1}/${operations.length} ${operation.id}: ${sent} requests, ${breaches.length} breaches`);
    for (const actor of ACTORS) {
      const turn = new Turn(plan, operation, actor);
      for (let n = 0; n < plan.requests; n++) {
        const request = await turn.next(n);
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

/** The requests of one actor to one operation: with the seed and the names of both they can be made again. */
class Turn {
  private readonly requests: Requests;
  private world!: World;
  private tokens!: Tokens;

  constructor(
    private readonly plan: FuzzPlan,
    private readonly operation: Operation,
    private readonly actor: ActorName,
  ) {
    this.requests = new Requests(plan.document, new Dice(seedOf(plan.seed, `${operation.id} ${actor}`)));
  }

  async next(n: number): Promise<FuzzRequest> {
    if (n === 0 || (n % CHECK_EVERY === 0 && !(await this.isWhole()))) {
      this.world = await this.plan.worlds.make();
      this.tokens = await signIn(this.plan.address, this.world);
    }
    return this.requests.next(this.operation, this.world, this.tokens[this.actor]);
  }

  private async isWhole(): Promise<boolean> {
    const token = this.tokens[this.actor];
    return token === undefined || isIn(this.plan.address, token);
  }
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

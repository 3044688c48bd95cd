import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../processor/random';
import type { Stage } from './stage';

const REST_MS = 200;
const PATIENCE_MS = 10_000;
const ALL_DONE_MS = 60_000;

/** People who register all the while, at any instance. Who was told 201 must get a mail. */
export class Visitors {
  /** Addresses of those who were told that they are registered. */
  readonly acknowledged: string[] = [];
  /** Answers that say neither what was asked for nor that it cannot be done now. */
  broken = 0;
  unavailable = 0;
  private left = false;
  private walking?: Promise<void>;
  private count = 0;

  constructor(
    private readonly stage: Stage,
    private readonly name: string,
    private readonly random: Random,
  ) {}

  come(): void {
    this.walking = this.walk();
  }

  async leave(): Promise<void> {
    this.left = true;
    await this.walking;
  }

  /** @returns milliseconds until somebody who registers from now on has their mail; undefined where that takes more than a minute */
  async untilServed(): Promise<number | undefined> {
    const start = performance.now();
    while (performance.now() - start < ALL_DONE_MS) {
      const email = await this.register();
      if (email && (await this.arrives([email], ALL_DONE_MS))) return performance.now() - start;
      await pause(REST_MS);
    }
    return undefined;
  }

  /** @returns how many of those who were acknowledged have no mail after a minute */
  async unserved(): Promise<number> {
    await this.arrives(this.acknowledged, ALL_DONE_MS);
    return this.waiting(this.acknowledged).length;
  }

  private async walk(): Promise<void> {
    while (!this.left) {
      void this.register();
      await pause(REST_MS);
    }
  }

  private async register(): Promise<string | undefined> {
    const email = `${this.name}-${++this.count}@faults.example`;
    const { address } = this.stage.services[Math.floor(this.random.next() * this.stage.services.length)];
    const answer = await fetch(`${address}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse battery', name: 'Visitor' }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => undefined); // nobody there
    if (answer?.status === 201) this.acknowledged.push(email);
    else if (answer?.status === 503) this.unavailable++;
    else if (answer) this.broken++;
    return answer?.status === 201 ? email : undefined;
  }

  private async arrives(emails: readonly string[], patienceMs: number): Promise<boolean> {
    const deadline = performance.now() + patienceMs;
    while (this.waiting(emails).length > 0 && performance.now() < deadline) await pause(REST_MS);
    return this.waiting(emails).length === 0;
  }

  private waiting(emails: readonly string[]): string[] {
    const served = new Set(this.stage.inbox.mails.map(({ to }) => to));
    return emails.filter((email) => !served.has(email));
  }
}

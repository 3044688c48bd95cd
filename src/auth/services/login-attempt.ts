type Settle = () => Promise<void>;

/** What each outcome of an attempt does to one counter. */
export interface Outcomes {
  readonly succeeded: Settle;
  readonly failed: Settle;
  readonly canceled: Settle;
}

/** One attempt to sign in, with the counters that it uses. Call exactly one of its methods. */
export class LoginAttempt {
  private readonly counters: Outcomes[] = [];

  add(outcomes: Outcomes): void {
    this.counters.push(outcomes);
  }

  /** The password was correct: earlier failures from this source are forgotten. */
  succeed(): Promise<void> {
    return this.settle('succeeded');
  }

  /** The password was wrong: the attempt is counted. */
  fail(): Promise<void> {
    return this.settle('failed');
  }

  /** The password was not checked: the attempt is not counted. */
  cancel(): Promise<void> {
    return this.settle('canceled');
  }

  private async settle(outcome: keyof Outcomes): Promise<void> {
    await Promise.all(this.counters.map((outcomes) => outcomes[outcome]()));
  }
}

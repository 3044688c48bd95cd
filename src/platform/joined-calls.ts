/** How calls are joined. */
export interface Joining<Input, Output> {
  /** Calls with the same key are never in one run. */
  readonly keyOf: (input: Input) => string;
  /** Calls of one run at most. */
  readonly most: number;
  /** Answers calls together, in their order. If it fails, all of them fail. */
  readonly run: (inputs: readonly Input[]) => Promise<readonly Output[]>;
  /** Whether calls that failed together run once more, each alone: one does not fail the others. */
  readonly repeatsAlone?: boolean;
}

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins calls that arrive while another one runs: they run together when it has ended. A single
 * call does not wait. Under load, many calls cost one message to the database.
 */
export class JoinedCalls<Input, Output> {
  private waiting: Waiting<Input, Output>[] = [];
  private isRunning = false;

  constructor(private readonly joining: Joining<Input, Output>) {}

  /** The answer to a call. @throws what its run throws */
  call(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      if (!this.isRunning) void this.runAll();
    });
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) await this.runOnce(this.next());
    this.isRunning = false;
  }

  private async runOnce(calls: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await this.joining.run(calls.map(({ input }) => input));
      for (const [index, { resolve }] of calls.entries()) resolve(outputs[index]);
    } catch (error) {
      if (this.joining.repeatsAlone && calls.length > 1) await Promise.all(calls.map((call) => this.runOnce([call])));
      else for (const { reject } of calls) reject(error);
    }
  }

  /** The longest waiting calls with different keys; the others stay. */
  private next(): Waiting<Input, Output>[] {
    const taken = new Map<string, Waiting<Input, Output>>();
    const rest: Waiting<Input, Output>[] = [];
    for (const call of this.waiting) {
      const key = this.joining.keyOf(call.input);
      if (taken.size < this.joining.most && !taken.has(key)) taken.set(key, call);
      else rest.push(call);
    }
    this.waiting = rest;
    return [...taken.values()];
  }
}

import { JoinedCalls } from './joined-calls';

/** Joins calls, each run of which ends when it is told to. */
function joinedCalls() {
  const runs: { inputs: readonly string[]; end: (error?: Error) => void }[] = [];
  const calls = new JoinedCalls<string, string>({
    keyOf: (input) => input.toLowerCase(),
    most: 2,
    run: (inputs) =>
      new Promise((resolve, reject) => {
        runs.push({ inputs, end: (error) => (error ? reject(error) : resolve(inputs.map((input) => `${input}!`))) });
      }),
  });
  return { calls, runs };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Joined calls', () => {
  it('run at once if none runs, and else together when it has ended', async () => {
    const { calls, runs } = joinedCalls();
    const answers = Promise.all(['a', 'b', 'c', 'd'].map((input) => calls.call(input)));
    for (const inputs of [['a'], ['b', 'c'], ['d']]) {
      await settled();
      expect(runs.at(-1)!.inputs).toEqual(inputs);
      runs.at(-1)!.end();
    }
    expect(await answers).toEqual(['a!', 'b!', 'c!', 'd!']);
  });

  it('with the same key do not run together', async () => {
    const { calls, runs } = joinedCalls();
    const answers = Promise.all(['a', 'b', 'B'].map((input) => calls.call(input)));
    for (const inputs of [['a'], ['b'], ['B']]) {
      await settled();
      expect(runs.at(-1)!.inputs).toEqual(inputs);
      runs.at(-1)!.end();
    }
    expect(await answers).toEqual(['a!', 'b!', 'B!']);
  });

  it('fail together, and the next ones run', async () => {
    const { calls, runs } = joinedCalls();
    const first = calls.call('a');
    const others = Promise.allSettled([calls.call('b'), calls.call('c')]);
    runs[0].end();
    expect(await first).toBe('a!');
    await settled();
    runs[1].end(new Error('unreachable'));
    expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = calls.call('d');
    runs[2].end();
    expect(await next).toBe('d!');
  });

  it('run once more alone if they failed together, where one must not fail the others', async () => {
    const run = (inputs: readonly string[]) =>
      inputs.includes('bad')
        ? Promise.reject(new Error('refused'))
        : Promise.resolve(inputs.map((input) => `${input}!`));
    const calls = new JoinedCalls<string, string>({ keyOf: (input) => input, most: 5, run, repeatsAlone: true });
    const answers = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((input) => calls.call(input)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });
});

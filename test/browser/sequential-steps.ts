/** Sequential steps: after a failed step, the rest fail immediately. */
export function sequentialSteps(): (name: string, run: () => Promise<void>) => void {
  let failed: string | undefined;
  return (name, run) =>
    it(name, async () => {
      if (failed) throw new Error(`An earlier step failed: "${failed}".`);
      failed = name;
      await run();
      failed = undefined;
    });
}

/**
 * Parts of a story, told in order: what comes after one that failed is not worth the wait, and says
 * so at once.
 */
export function story(): (name: string, tell: () => Promise<void>) => void {
  let broken: string | undefined;
  return (name, tell) =>
    it(name, async () => {
      if (broken) throw new Error(`The story broke off before, at "${broken}".`);
      broken = name;
      await tell();
      broken = undefined;
    });
}

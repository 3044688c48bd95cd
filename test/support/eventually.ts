const PATIENCE_MS = 10_000;

/**
 * Looks until there is something to see; fails with `what` when there never is, for so many
 * milliseconds.
 */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string,
  patience = PATIENCE_MS,
): Promise<T> {
  const deadline = performance.now() + patience;
  while (performance.now() < deadline) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain for ${what}`);
}

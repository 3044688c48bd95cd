const PATIENCE_MS = 10_000;

/**
 * Polls until the function returns a value. Fails with `what` if it does not within the timeout in
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
  throw new Error(`timed out waiting for ${what}`);
}

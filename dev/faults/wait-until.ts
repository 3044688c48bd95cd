import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;

/** Polls a condition. @returns whether it became true within `withinMs` */
export async function waitUntil(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

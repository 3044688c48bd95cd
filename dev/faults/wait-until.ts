import { setTimeout as pause } from 'node:timers/promises';

const LOOK_AGAIN_MS = 100;

/** Whether something becomes true within some milliseconds. */
export async function waitUntil(look: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await look())) {
    if (performance.now() > deadline) return false;
    await pause(LOOK_AGAIN_MS);
  }
  return true;
}

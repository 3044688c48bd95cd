import { setTimeout as pause } from 'node:timers/promises';

const SAMPLES = 5;
const PAUSE_MS = 300;

/** Megabytes that the service's process holds: the least of some samples, because garbage comes and goes. */
export async function memoryOf(address: string): Promise<number> {
  let least = Infinity;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const text = await (await fetch(`${address}/metrics`)).text();
    least = Math.min(least, Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)![1]));
    await pause(PAUSE_MS);
  }
  return Math.round(least / 2 ** 20);
}

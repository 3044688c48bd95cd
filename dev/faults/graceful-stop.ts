import type { ServiceProcess } from '../chaos/service-process';

/** With nothing slow open. */
const STOP_SECONDS = 10;

/** SIGTERM. @returns what was wrong with how it ended */
export async function stopGracefully(service: ServiceProcess): Promise<string[]> {
  const start = performance.now();
  const code = await service.stop();
  const seconds = (performance.now() - start) / 1000;
  return [
    ...(code === 0 ? [] : [`SIGTERM: ended with ${String(code)}`]),
    ...(seconds < STOP_SECONDS ? [] : [`SIGTERM: took ${seconds.toFixed(0)} s`]),
  ];
}

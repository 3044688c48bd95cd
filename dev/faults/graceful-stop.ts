import type { ServiceProcess } from '../chaos/service-process';

/** The limit when no slow request is open. */
const STOP_SECONDS = 10;

/** Stops an instance by SIGTERM. @returns the failed checks */
export async function stopGracefully(service: ServiceProcess): Promise<string[]> {
  const start = performance.now();
  const code = await service.stop();
  const seconds = (performance.now() - start) / 1000;
  return [
    ...(code === 0 ? [] : [`SIGTERM: exit code ${String(code)}`]),
    ...(seconds < STOP_SECONDS ? [] : [`SIGTERM: took ${seconds.toFixed(0)} s`]),
  ];
}

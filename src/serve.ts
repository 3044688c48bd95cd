import { setTimeout as pause } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app';
import type { Settings } from './config/settings';
import { RequestDrain } from './http/requests/request-drain';
import { Readiness } from './http/health/readiness';
import { createLog, type Log } from './platform/observability/log';

/** Milliseconds: slightly more than open requests and jobs get (docs/contract.md, Shutdown). */
const STOP_MS = 35_000;

const MIGRATIONS_MISSING = 'the database lacks migrations: run "npm run migrate"; until then the service is not ready';

/** What local mode adds to the service. */
interface Around {
  /** Adds pages of local mode before the routes. */
  readonly pages?: (app: NestExpressApplication) => void;
  /** Runs after the connections are made and before the first request. */
  readonly seed?: (app: NestExpressApplication) => Promise<void>;
  /** Stops other parts after the service has stopped. */
  readonly afterwards?: () => Promise<void>;
}

/**
 * Starts the service. SIGTERM and SIGINT stop it gracefully: it is not ready, takes requests for
 * SHUTDOWN_DELAY_SECONDS more, unless a second signal arrives, and then finishes open requests and
 * jobs (docs/contract.md, Shutdown).
 */
export async function serve(
  settings: Settings,
  { pages, seed, afterwards }: Around = {},
): Promise<NestExpressApplication> {
  const log = createLog(settings.log);
  const app = await createApp(settings, log);
  pages?.(app);
  await app.init();
  await seed?.(app);
  await app.listen(settings.port, settings.host);
  log.info(
    { event: 'service.started', address: await app.getUrl(), worker: settings.worker },
    'The service is listening',
  );
  if ((await app.get(Readiness).check()).view.migrations === 'missing')
    log.error({ event: 'database.migrations_missing' }, MIGRATIONS_MISSING);
  const delay = new AbortController();
  const drain = app.get(RequestDrain);
  const stop = async (signal: string) => {
    if (drain.stopping) {
      delay.abort();
      return;
    }
    drain.stopping = true; // not ready from now on
    log.info({ event: 'service.stopping', signal }, 'The service is stopping; open requests and jobs finish first');
    await pause(settings.shutdownDelaySeconds * 1000, undefined, { signal: delay.signal }).catch(() => undefined);
    setTimeout(() => process.exit(1), STOP_MS).unref(); // ends the process if something still hangs
    const finished = await closed(app, log);
    await afterwards?.();
    log.info({ event: 'service.stopped' }, 'The service stopped');
    process.exit(finished ? 0 : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      void stop(signal);
    });
  return app;
}

/** @returns whether everything that was open has finished */
async function closed(app: NestExpressApplication, log: Log): Promise<boolean> {
  try {
    await app.close();
    const { finished } = app.get(RequestDrain);
    if (!finished)
      log.warn(
        { event: 'service.stop_timed_out' },
        'Some requests or jobs did not finish in time; the jobs will be retried by another process',
      );
    return finished;
  } catch (error) {
    log.error({ event: 'service.stop_failed', err: error }, 'The service did not stop cleanly');
    return false;
  }
}

import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app';
import type { Settings } from './config/settings';
import { RequestDrain } from './http/requests/request-drain';
import { Readiness } from './http/health/readiness';
import { createLog, type Log } from './platform/observability/log';

/** A little more than open requests and jobs are given (contract section 7). */
const STOP_MS = 35_000;

const MIGRATIONS_MISSING = 'the database lacks migrations: run "npm run migrate"; until then the service is not ready';

/** What local mode adds around the service. */
interface Around {
  /** Pages of its own, before the routes are made. */
  readonly pages?: (app: NestExpressApplication) => void;
  /** Done once the parts are connected and before the first request. */
  readonly seed?: (app: NestExpressApplication) => Promise<void>;
  /** What else must stop, once the service has. */
  readonly afterwards?: () => Promise<void>;
}

/**
 * Starts the service and stops it gracefully on SIGTERM and SIGINT: open requests and jobs finish,
 * then the connections close.
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
  log.info({ address: await app.getUrl(), worker: settings.worker }, 'listening');
  if ((await app.get(Readiness).look()).view.migrations === 'missing')
    log.error({ event: 'migrations-missing' }, MIGRATIONS_MISSING);
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping: finishing open requests and jobs');
    setTimeout(() => process.exit(1), STOP_MS).unref(); // whatever still hangs then has had its time
    const finished = await closed(app, log);
    await afterwards?.();
    log.info('stopped');
    process.exit(finished ? 0 : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  return app;
}

/** @returns whether everything that was open has come to its end */
async function closed(app: NestExpressApplication, log: Log): Promise<boolean> {
  try {
    await app.close();
    const { finished } = app.get(RequestDrain);
    if (!finished)
      log.warn('some requests or jobs took too long and were left; jobs are done again by the next process');
    return finished;
  } catch (error) {
    log.error({ err: error }, 'did not stop cleanly');
    return false;
  }
}

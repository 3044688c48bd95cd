import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, roomsBeforeRoutes } from './app.module';
import type { Settings } from './config/settings';
import { inOrder } from './edge/rooms';
import { serveDocs } from './edge/openapi';
import { refuseUndeclaredRoutes } from './edge/route-check';
import { createLog, nestLogger, type Log } from './platform/log';

/** Everything outside the API proper: no /api/v1 before it. */
const WITHOUT_PREFIX = ['.well-known/jwks.json', 'metrics'];

/** Builds the service from its settings, ready to listen. */
export async function createApp(settings: Settings, log: Log = createLog(settings.log)): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.for(settings, log), {
    logger: nestLogger(log),
    bodyParser: false,
    abortOnError: false,
  });
  return furnish(app, settings);
}

/** Gives an application its rooms, prefix and documents; tests call it for one that they have put together themselves. */
export function furnish(app: NestExpressApplication, settings: Settings): NestExpressApplication {
  app.disable('x-powered-by').disable('etag').set('trust proxy', settings.trustProxy);
  app.set('query parser', 'simple').set('case sensitive routing', true);
  app.use(inOrder(roomsBeforeRoutes(app)));
  app.setGlobalPrefix('api/v1', { exclude: WITHOUT_PREFIX });
  serveDocs(app, settings);
  refuseUndeclaredRoutes(app);
  return app;
}

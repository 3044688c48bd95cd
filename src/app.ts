import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { ExpressAdapter, NestExpressApplication } from '@nestjs/platform-express';
import express, { type RequestHandler } from 'express';
import { API_PREFIX, AppModule, middlewareBeforeRoutes } from './app.module';
import type { Settings } from './config/settings';
import { bindWithoutProperty } from './http/bound-functions';
import { dispatchExactRoutes } from './http/exact-routes';
import { ExpressPrototypeAdapter } from './http/express-prototype-adapter';
import { serveDocs } from './http/openapi/serve-docs';
import { answerFavicon } from './http/responses/not-found-page';
import { STATIC_APPS, serveStaticApp } from './http/responses/static-apps';
import { refuseUndeclaredRoutes } from './http/access/route-access-check';
import { refuseShadowedRoutes } from './http/access/route-order-check';
import { keepRulesOfClasses } from './http/validation/rules-of-classes';
import { createLog, nestLogger, type Log } from './platform/observability/log';
import { refuseWiringMistakes } from './platform/wiring-check';
import { sourceClasses } from './platform/source-classes';

/** Routes without the API prefix. */
const WITHOUT_PREFIX = ['jwks.json', 'change-password', 'security.txt']
  .map((name) => `.well-known/${name}`)
  .concat('metrics');

/** Creates the service from its settings, ready to listen. */
export async function createApp(
  settings: Settings,
  log: Log = createLog(settings.log),
): Promise<NestExpressApplication> {
  bindWithoutProperty();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.for(settings, log), httpAdapter(settings), {
    logger: nestLogger(log),
    bodyParser: false,
    abortOnError: false,
  });
  return configureApp(app, settings);
}

/** Express with settings that must be set before Nest creates its router. */
export function httpAdapter({ trustProxy, keepAliveSeconds }: Settings): ExpressAdapter {
  const http = express().disable('x-powered-by').disable('etag').enable('case sensitive routing');
  http.set('trust proxy', trustProxy).set('query parser', 'simple');
  return new ExpressPrototypeAdapter(http, keepAliveSeconds * 1000);
}

/**
 * Adds middleware, path prefix and documents to an application; tests call it for one of their own.
 * @param observers middleware of a test, which sees every request that has passed the other
 */
export function configureApp(
  app: NestExpressApplication,
  settings: Settings,
  observers: readonly RequestHandler[] = [],
): NestExpressApplication {
  keepRulesOfClasses();
  const exactRoutes = dispatchExactRoutes(app.getHttpAdapter().getInstance());
  app.use(...middlewareBeforeRoutes(app), ...observers, exactRoutes);
  app.use('/favicon.ico', answerFavicon);
  app.setGlobalPrefix(API_PREFIX, { exclude: WITHOUT_PREFIX });
  serveDocs(app, settings);
  serveStaticApp(app, '/admin', join(STATIC_APPS, 'admin'), settings);
  refuseUndeclaredRoutes(app);
  refuseShadowedRoutes(app);
  refuseWiringMistakes(app, sourceClasses());
  return app;
}

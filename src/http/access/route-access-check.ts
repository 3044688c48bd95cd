import { RequestMethod, type INestApplication } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { accessOf, type Access } from './access';

/** A route as its controller declares it. */
export interface Route {
  /** `Controller.method`. */
  readonly name: string;
  readonly method: string;
  /** Without the global prefix; each with a leading slash and without a trailing one. */
  readonly paths: readonly string[];
  readonly access: Access | undefined;
}

/** All routes of all controllers, in the order in which the router tries them. */
export function routesOf(app: INestApplication): Route[] {
  const scanner = new MetadataScanner();
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => {
      const controller = metatype as { name: string; prototype: Record<string, object> };
      const { prototype } = controller;
      return scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name]))
        .map((name) => {
          const handler = prototype[name];
          return {
            name: `${controller.name}.${name}`,
            method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod],
            paths: pathsOf(controller).flatMap((base) => pathsOf(handler).map((own) => base + own)),
            access: accessOf(handler, controller),
          };
        });
    });
}

const pathsOf = (declared: object): string[] =>
  [Reflect.getMetadata(PATH_METADATA, declared) as string | string[]].flat().map(trimmed);

/** With a leading slash and without a trailing one; empty for an empty path. */
function trimmed(path: string): string {
  const name = path.replace(/^\/|\/$/g, '');
  return name && `/${name}`;
}

/**
 * Requires every route to declare its access.
 * @throws at start, naming the routes that do not
 */
export function refuseUndeclaredRoutes(app: INestApplication): void {
  const silent = routesOf(app).filter(({ access }) => !access);
  if (silent.length > 0)
    throw new Error(`These routes do not declare who may use them: ${silent.map(({ name }) => name).join(', ')}`);
}

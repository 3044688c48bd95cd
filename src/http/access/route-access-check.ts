import type { INestApplication } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { accessOf, type Access } from './access';

/** A route as its controller declares it. */
interface Route {
  readonly name: string;
  readonly controller: object;
  readonly handler: object;
  readonly access: Access | undefined;
}

/** All routes of all controllers. */
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
          return { name: `${controller.name}.${name}`, controller, handler, access: accessOf(handler, controller) };
        });
    });
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

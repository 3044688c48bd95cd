import type { INestApplication } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { accessOf } from './access';

/**
 * Nothing is open by silence: every route says who may use it.
 * @throws at start-up, with the names of the routes that say nothing
 */
export function refuseUndeclaredRoutes(app: INestApplication): void {
  const scanner = new MetadataScanner();
  const silent = app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => {
      const prototype = (metatype as { prototype: Record<string, object> }).prototype;
      return scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name]) && !accessOf(prototype[name], metatype!))
        .map((name) => `${metatype!.name}.${name}`);
    });
  if (silent.length > 0) throw new Error(`These routes do not declare who may use them: ${silent.join(', ')}`);
}

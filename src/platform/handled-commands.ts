import type { Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { COMMAND_HANDLER_METADATA } from '@nestjs/cqrs/dist/decorators/constants';

/** The command classes that have a handler in this process. */
export function handledCommands(discovery: DiscoveryService): Type[] {
  return discovery.getProviders().flatMap(({ metatype }) => {
    const command = metatype && (Reflect.getMetadata(COMMAND_HANDLER_METADATA, metatype) as Type | undefined);
    return command ? [command] : [];
  });
}

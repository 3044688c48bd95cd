import 'reflect-metadata';
import { Command, CommandHandler, Query } from '@nestjs/cqrs';
import { COMMAND_HANDLER_METADATA, QUERY_HANDLER_METADATA } from '@nestjs/cqrs/dist/decorators/constants';
import { MODULES } from '../../src/app.module';
import { PlatformModule } from '../../src/platform/platform.module';
import { exportsOfSource } from './source-files';

type Class = new (...parameters: never[]) => object;

const isClass = (value: unknown): value is Class => typeof value === 'function' && value.prototype !== undefined;
const messageOf = (handler: Class): unknown =>
  Reflect.getMetadata(COMMAND_HANDLER_METADATA, handler) ?? Reflect.getMetadata(QUERY_HANDLER_METADATA, handler);

/** The names of messages without a handler, or with more than one. */
function withoutOneHandler(exported: unknown[]): string[] {
  const classes = exported.filter(isClass);
  const messages = classes.filter(({ prototype }) => prototype instanceof Command || prototype instanceof Query);
  return messages
    .filter((message) => classes.filter((handler) => messageOf(handler) === message).length !== 1)
    .map(({ name }) => name);
}

describe('Commands and queries', () => {
  const exported = exportsOfSource();

  it('have exactly one handler', () => {
    expect(exported.filter(isClass).filter(messageOf).length).toBeGreaterThan(40);
    expect(withoutOneHandler(exported)).toEqual([]);
  });

  it('have handlers that are provided by a module', () => {
    const provided = [PlatformModule, ...MODULES].flatMap(
      (module) => Reflect.getMetadata('providers', module) as unknown[],
    );
    expect(exported.filter(isClass).filter((value) => messageOf(value) && !provided.includes(value))).toEqual([]);
  });

  it('are reported without a handler or with two', () => {
    class Unheard extends Command<void> {}
    class HeardTwice extends Command<void> {}
    @CommandHandler(HeardTwice)
    class First {
      execute() {
        return Promise.resolve();
      }
    }
    @CommandHandler(HeardTwice)
    class Second extends First {}
    expect(withoutOneHandler([Unheard, HeardTwice, First, Second])).toEqual(['Unheard', 'HeardTwice']);
  });
});

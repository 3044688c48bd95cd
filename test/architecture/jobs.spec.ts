import 'reflect-metadata';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { COMMAND_HANDLER_METADATA } from '@nestjs/cqrs/dist/decorators/constants';
import { OneTimeTokenMailer } from '../../src/auth/services/one-time-token-mailer';
import { StripeGateway } from '../../src/billing/stripe/stripe-gateway';
import { SubscriptionRefresher } from '../../src/billing/sync/services/subscription-refresher';
import type { JobKind } from '../../src/platform/jobs/job-kinds';
import { Job, taskOf } from '../../src/platform/jobs/jobs';
import { Mailer } from '../../src/platform/mail/mailer';
import { exportsOfSource } from './source-files';

/** What a handler uses that makes its job wait for somebody else's server. */
const WAITS: readonly [object, JobKind][] = [
  [Mailer, 'mail'],
  [OneTimeTokenMailer, 'mail'],
  [StripeGateway, 'processor'],
  [SubscriptionRefresher, 'processor'],
];

/** The tasks that are declared as another kind than their handler's parts make them. */
function wronglyDeclared(exported: readonly unknown[]): string[] {
  return exported.flatMap((handler) => {
    const command =
      typeof handler === 'function'
        ? (Reflect.getMetadata(COMMAND_HANDLER_METADATA, handler) as object | undefined)
        : undefined;
    const mark = command && taskOf(command);
    if (!mark) return [];
    const parts = (Reflect.getMetadata('design:paramtypes', handler as object) ?? []) as unknown[];
    const kind = WAITS.find(([part]) => parts.includes(part))?.[1] ?? 'database';
    return kind === mark.kind ? [] : [mark.task];
  });
}

describe('jobs', () => {
  it('are declared as what their handlers wait for: the mail server, the payment processor, or nothing but the database', () => {
    const exported = exportsOfSource();
    expect(exported.filter((value) => typeof value === 'function' && taskOf(value)).length).toBeGreaterThan(10);
    expect(wronglyDeclared(exported)).toEqual([]);
  });

  it('would be noticed where one that mails takes the slots of the database', () => {
    @Job('unmarked')
    class Unmarked extends Command<void> {}
    @CommandHandler(Unmarked)
    class UnmarkedHandler {
      constructor(readonly mailer: Mailer) {}
    }
    expect(wronglyDeclared([Unmarked, UnmarkedHandler])).toEqual(['unmarked']);
  });
});

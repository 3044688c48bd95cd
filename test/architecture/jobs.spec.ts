import 'reflect-metadata';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { COMMAND_HANDLER_METADATA } from '@nestjs/cqrs/dist/decorators/constants';
import { EmailCodes } from '../../src/auth/services/email-codes';
import { OneTimeTokenMailer } from '../../src/auth/services/one-time-token-mailer';
import { StripeCheckouts } from '../../src/billing/stripe/stripe-checkouts';
import { StripeCustomers } from '../../src/billing/stripe/stripe-customers';
import { StripePlanChanges } from '../../src/billing/stripe/stripe-plan-changes';
import { StripePortal } from '../../src/billing/stripe/stripe-portal';
import { StripePrices } from '../../src/billing/stripe/stripe-prices';
import { StripeSubscriptions } from '../../src/billing/stripe/stripe-subscriptions';
import { SubscriptionRefresher } from '../../src/billing/sync/services/subscription-refresher';
import type { JobKind } from '../../src/platform/jobs/job-kinds';
import { Job, taskOf } from '../../src/platform/jobs/jobs';
import { Mailer } from '../../src/platform/mail/mailer';
import { sourceClasses } from '../../src/platform/source-classes';

/** The dependencies of a handler that make its job wait for another server. */
const WAITS: readonly [object, JobKind][] = [
  [Mailer, 'mail'],
  [OneTimeTokenMailer, 'mail'],
  [EmailCodes, 'mail'],
  [StripeCheckouts, 'processor'],
  [StripeCustomers, 'processor'],
  [StripePlanChanges, 'processor'],
  [StripePortal, 'processor'],
  [StripePrices, 'processor'],
  [StripeSubscriptions, 'processor'],
  [SubscriptionRefresher, 'processor'],
];

/** The jobs whose declared kind does not match the dependencies of their handler. */
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

describe('Jobs', () => {
  it('are declared by what their handlers wait for: the mail server, Stripe, or the database only', () => {
    const exported = sourceClasses();
    expect(exported.filter((value) => typeof value === 'function' && taskOf(value)).length).toBeGreaterThan(10);
    expect(wronglyDeclared(exported)).toEqual([]);
  });

  it('are reported if one that sends mails is declared as a database job', () => {
    @Job('unmarked')
    class Unmarked extends Command<void> {}
    @CommandHandler(Unmarked)
    class UnmarkedHandler {
      constructor(readonly mailer: Mailer) {}
    }
    expect(wronglyDeclared([Unmarked, UnmarkedHandler])).toEqual(['unmarked']);
  });
});

import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../config/settings';
import { Scheduler } from '../platform/jobs/scheduler';
import { StartSync } from './sync/commands/start-sync';
import { PurgeWebhookEvents } from './webhooks/commands/purge-webhook-events';
import { RemindOfTrialEnds } from './subscriptions/commands/remind-of-trial-ends';
import { StripeGateway } from './stripe/stripe-gateway';

/** The scheduled jobs of billing. */
@Injectable()
export class BillingSchedule {
  constructor(
    scheduler: Scheduler,
    gateway: StripeGateway,
    commands: CommandBus,
    @Inject(SETTINGS) { processor }: Settings,
  ) {
    scheduler.job('remind-of-trial-ends', '23 * * * *', () => new RemindOfTrialEnds());
    scheduler.job('purge-webhook-events', '7 4 * * *', () => new PurgeWebhookEvents());
    if (gateway.isSetUp)
      scheduler.add('sync-subscriptions', processor.syncCron, (tick) => commands.execute(new StartSync(null, tick)));
  }
}

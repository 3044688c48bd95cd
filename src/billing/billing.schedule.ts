import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../config/settings';
import { Scheduler } from '../platform/jobs/scheduler';
import { StartSync } from './sync/commands/start-sync';
import { PurgeWebhookEvents } from './webhooks/commands/purge-webhook-events';
import { RemindOfTrialEnds } from './subscriptions/commands/remind-of-trial-ends';
import { StripeGateway } from './stripe/stripe-gateway';

/** What billing does by the clock. */
@Injectable()
export class BillingSchedule {
  constructor(
    timetable: Scheduler,
    gateway: StripeGateway,
    commands: CommandBus,
    @Inject(SETTINGS) { processor }: Settings,
  ) {
    timetable.job('remind-of-trial-ends', '23 * * * *', () => new RemindOfTrialEnds());
    timetable.job('purge-webhook-events', '7 4 * * *', () => new PurgeWebhookEvents());
    if (gateway.isSetUp)
      timetable.add('sync-subscriptions', processor.syncCron, (tick) => commands.execute(new StartSync(null, tick)));
  }
}

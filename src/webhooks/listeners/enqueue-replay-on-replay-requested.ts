import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { firstIdAt } from '../../platform/ids';
import { Jobs } from '../../platform/jobs/jobs';
import { ReplayWebhookDeliveries } from '../commands/replay-webhook-deliveries';
import { WebhookReplayRequested } from '../webhooks.events';

/** Enqueues the replay of a period. The ids of deliveries contain their times. */
@Injectable()
export class EnqueueReplayOnReplayRequested implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(WebhookReplayRequested, (events) =>
      this.jobs.enqueueAll(
        events.map(({ endpoint: { tenantId, id: endpointId, replayKey: key }, span: { from, to, onlyFailed } }) => {
          const [after, before] = [from, to].map((time) => firstIdAt(new Date(time)));
          return { key, command: new ReplayWebhookDeliveries({ tenantId, endpointId, after, before, onlyFailed }) };
        }),
      ),
    );
  }
}

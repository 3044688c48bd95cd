import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents, type DomainEvent } from '../../../platform/domain-events';
import { Jobs } from '../../../platform/jobs/jobs';
import { MemberJoined, MemberRemoved } from '../../../tenants/tenants.api';
import { BilledSeatsDiffer } from '../../billing.events';
import { StripeClient } from '../../stripe/stripe-client';
import { setBilledSeatsJob } from '../commands/set-billed-seats';

/**
 * Enqueues a job per tenant that makes Stripe bill its members: after each change of the members,
 * and when Stripe was found to bill another number. None without a Stripe key.
 */
@Injectable()
export class EnqueueBilledSeatsOnMembersChanged implements OnModuleInit {
  constructor(
    private readonly stripeClient: StripeClient,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    for (const type of [MemberJoined, MemberRemoved, BilledSeatsDiffer])
      this.events.on<DomainEvent>(type, (events) => this.enqueue(events));
  }

  private async enqueue(events: readonly DomainEvent[]): Promise<void> {
    if (!this.stripeClient.isSetUp) return;
    await this.jobs.enqueueAll([...new Set(events.flatMap(({ tenantId }) => tenantId ?? []))].map(setBilledSeatsJob));
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { ok } from '../../platform/result';
import { WebhookDeliveryRepository } from '../data/webhook-delivery.repository';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import type { LoggedAttempt } from '../domain/webhook-delivery';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';
import { WebhookEndpointDisabled } from '../webhooks.events';
import type { FinishedAttempt } from './delivery-attempt';
import type { TakenDelivery } from './delivery-queue';

/** The receiver says that the endpoint is no more (RFC 9110 section 15.5.11). */
const GONE = 410;

/** Stores what came of attempts. */
@Injectable()
export class DeliveryOutcomes {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores an attempt, plans the next one, and disables an endpoint that is gone or keeps failing.
   * Nothing is stored if the delivery was taken by another process, or deleted. The endpoint is
   * locked before the delivery, as its deletion does.
   */
  async store({ delivery: { tenantId, id, nextAt }, endpoint: known }: TakenDelivery, finished: FinishedAttempt) {
    const { attempt, retryAfter } = finished;
    await this.unitOfWork.inTenant({ tenantId }, async () => {
      const hasFailed = attempt.error !== null;
      const isChanged = hasFailed || known.failures > 0 || known.isChangedBy(attempt.milliseconds);
      const endpoint = isChanged ? await this.endpoints.lock(tenantId, known.id) : null;
      const delivery = await this.deliveries.lock(tenantId, id);
      if (delivery?.state !== 'due' || delivery.nextAt?.getTime() !== nextAt?.getTime()) return ok();
      delivery.record(attempt, this.clock.now(), retryAfter, Math.random());
      if (endpoint) await this.change(endpoint, attempt);
      if (hasFailed && endpoint?.isDisabled) delivery.giveUp();
      await this.deliveries.save(delivery);
      return ok();
    });
  }

  private async change(endpoint: WebhookEndpoint, { error, status, milliseconds }: LoggedAttempt): Promise<void> {
    const hasFailed = error !== null;
    const isNowDisabled = hasFailed && endpoint.fail(this.clock.now(), status === GONE);
    endpoint.measure(milliseconds);
    if (!hasFailed) endpoint.succeed();
    await this.endpoints.save(endpoint);
    if (isNowDisabled) await this.events.publish(new WebhookEndpointDisabled(endpoint));
  }
}

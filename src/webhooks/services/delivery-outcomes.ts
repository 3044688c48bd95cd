import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { JoinedCalls } from '../../platform/joined-calls';
import { ok } from '../../platform/result';
import { ReceiverHostRepository } from '../data/receiver-host.repository';
import { WebhookDeliveryRepository, type DeliveredDelivery } from '../data/webhook-delivery.repository';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import type { LoggedAttempt } from '../domain/webhook-delivery';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';
import { WebhookEndpointDisabled } from '../webhooks.events';
import type { FinishedAttempt } from './delivery-attempt';
import type { TakenDelivery } from './delivery-queue';

/** 410: the endpoint no longer exists (RFC 9110 section 15.5.11). */
const GONE = 410;

/** Maximum number of successes that one statement stores. */
const MOST_AT_ONCE = 100;

/** Stores the outcomes of attempts. */
@Injectable()
export class DeliveryOutcomes {
  /** Successes that change nothing else. Those that end at the same time share a statement. */
  private readonly successes = new JoinedCalls<DeliveredDelivery, void>({
    keyOf: ({ delivery }) => delivery.id,
    most: MOST_AT_ONCE,
    run: (rows) => this.storeSuccesses(rows),
    repeatsAlone: true,
  });

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly hosts: ReceiverHostRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores an attempt, plans the next one, and disables an endpoint that is gone or keeps failing.
   * Nothing is stored if the delivery was taken by another process, or deleted. The endpoint is
   * locked before the delivery, as its deletion does.
   */
  async store(taken: TakenDelivery, finished: FinishedAttempt): Promise<void> {
    const { attempt } = finished;
    const { delivery, endpoint } = taken;
    const isChanged =
      attempt.error !== null ||
      delivery.isChallenge ||
      endpoint.failures > 0 ||
      endpoint.isChangedBy(attempt.milliseconds);
    if (isChanged) return this.storeWithEndpoint(taken, finished);
    const until = delivery.nextAt!;
    delivery.record(attempt, this.clock.now(), undefined, 0);
    return this.successes.call({ delivery, until });
  }

  private async storeSuccesses(rows: readonly DeliveredDelivery[]): Promise<void[]> {
    await this.unitOfWork.acrossTenants(async () => {
      await this.deliveries.storeDelivered(rows);
      return ok();
    });
    return rows.map(() => undefined);
  }

  private async storeWithEndpoint(
    { delivery: { tenantId, id, nextAt, isChallenge }, endpoint: known }: TakenDelivery,
    { attempt, retryAfter }: FinishedAttempt,
  ): Promise<void> {
    const work = async () => {
      const endpoint = await this.endpoints.lock(tenantId, known.id);
      const delivery = await this.deliveries.lock(tenantId, id);
      if (delivery?.state !== 'due' || delivery.nextAt?.getTime() !== nextAt?.getTime()) return ok();
      delivery.record(attempt, this.clock.now(), retryAfter, Math.random());
      if (endpoint) await this.change(endpoint, attempt);
      if (isChallenge && attempt.error === null && endpoint?.url === known.url) await this.verify(endpoint);
      if (attempt.error !== null && endpoint?.isDisabled) delivery.giveUp();
      await this.deliveries.save(delivery);
      return ok();
    };
    await this.unitOfWork.inTenant({ tenantId }, work, isChallenge ? 'serial' : 'shared');
  }

  /** The receiver at the address that the endpoint still has has answered the challenge. */
  private async verify(endpoint: WebhookEndpoint): Promise<void> {
    const now = this.clock.now();
    endpoint.verify(now);
    await this.endpoints.saveTypes(endpoint);
    await this.hosts.answered(endpoint, now);
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

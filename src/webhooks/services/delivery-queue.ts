import { Injectable } from '@nestjs/common';
import { addSeconds, Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { LateReleases, type UnusedClaim } from '../../platform/late-releases';
import { ok } from '../../platform/result';
import { permissionsOf } from '../../tenants/tenants.api';
import type { RunningRequest } from '../data/due-deliveries';
import { ReceiverHostRepository } from '../data/receiver-host.repository';
import { WebhookDeliveryRepository, type DueDelivery } from '../data/webhook-delivery.repository';
import { WebhookEndpointRepository, type KeptEndpoint } from '../data/webhook-endpoint.repository';
import { WebhookMessageRepository, type TakenMessage } from '../data/webhook-message.repository';
import { WebhookDelivery } from '../domain/webhook-delivery';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';
import { ReceiverGrants } from './receiver-grants';

/** Messages whose deliveries one transaction creates. */
const BATCH = 100;
/**
 * Seconds after which another process sends a taken delivery: longer than a request and the storing
 * of its outcome take.
 */
const LEASE_SECONDS = 60;

/** A delivery that this process sends. */
export interface TakenDelivery extends DueDelivery {
  readonly endpoint: WebhookEndpoint;
}

/** Creates deliveries of messages, and hands out those that are due. Runs across tenants. */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly messages: WebhookMessageRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly hosts: ReceiverHostRepository,
    private readonly grants: ReceiverGrants,
    private readonly unitOfWork: UnitOfWork,
    private readonly lateReleases: LateReleases,
    private readonly clock: Clock,
  ) {}

  /** Creates the deliveries of new messages. */
  async fanOut(): Promise<void> {
    while ((await this.fanOutBatch()) === BATCH);
  }

  /**
   * Takes deliveries that are due. One whose endpoint is disabled or not verified at this moment is
   * left for the job that gives it up.
   * @param running the requests that this process is sending
   */
  async take(limit: number, running: readonly RunningRequest[]): Promise<TakenDelivery[]> {
    const now = this.clock.now();
    const until = addSeconds(now, LEASE_SECONDS);
    let taken: TakenDelivery[] = [];
    const take = () =>
      this.unitOfWork.acrossTenants(async () => {
        const due = await this.deliveries.takeDue({ now, running, limit, until });
        const found = due.length > 0 ? await this.withEndpoints(due) : [];
        taken = await this.withinBudgets(found.filter(isOpen), now);
        return ok();
      });
    await this.lateReleases.unlessLost(take, () => this.claimOn(taken, until));
    return taken;
  }

  private claimOn(taken: readonly TakenDelivery[], until: Date): UnusedClaim | undefined {
    if (taken.length === 0) return undefined;
    const release = async () => {
      await this.unitOfWork.acrossTenants(async () => ok(await this.deliveries.returnTaken(taken, until)));
      return true;
    };
    return { kind: 'webhook delivery', expiresInMs: LEASE_SECONDS * 1000, release };
  }

  private async fanOutBatch(): Promise<number> {
    let count = 0;
    await this.unitOfWork.acrossTenants(async () => {
      const messages = await this.messages.takePending(BATCH);
      count = messages.length;
      if (count === 0) return ok();
      const endpoints = await this.endpoints.keepOfTenants([...new Set(messages.map(({ tenantId }) => tenantId))]);
      const now = this.clock.now();
      const deliveries = messages.flatMap((message) =>
        endpoints
          .filter((kept) => this.gets(kept, message))
          .map(({ endpoint, isFull }) => WebhookDelivery.create(message, endpoint, now, isFull)),
      );
      await this.deliveries.addAll(deliveries);
      return ok();
    });
    return count;
  }

  /** The permissions are those at this moment. */
  private gets({ endpoint, grantor }: KeptEndpoint, { tenantId, type }: TakenMessage): boolean {
    if (endpoint.tenantId !== tenantId || !endpoint.isVerified || !endpoint.wants(type)) return false;
    return grantor === null || this.grants.mayRead(permissionsOf(grantor), type);
  }

  /**
   * Challenges to a host that never answered wait for its turn: their lease makes them due again.
   */
  private async withinBudgets(taken: readonly TakenDelivery[], now: Date): Promise<TakenDelivery[]> {
    const asked = taken.filter(({ delivery }) => delivery.isChallenge).map(({ endpoint }) => endpoint);
    const granted = await this.hosts.claim(asked, now);
    return taken.filter(({ delivery, endpoint }) => !delivery.isChallenge || granted.has(endpoint));
  }

  private async withEndpoints(due: readonly DueDelivery[]): Promise<TakenDelivery[]> {
    const idsOf = (key: 'tenantId' | 'endpointId') => [...new Set(due.map(({ delivery }) => delivery[key]))];
    const found = await this.endpoints.listByIds(idsOf('tenantId'), idsOf('endpointId'));
    const endpoints = new Map(found.map((one) => [one.id, one]));
    return due.map((one) => ({ ...one, endpoint: endpoints.get(one.delivery.endpointId)! }));
  }
}

const isOpen = ({ endpoint, delivery }: TakenDelivery) =>
  !endpoint.isDisabled && (endpoint.isVerified || delivery.isChallenge);

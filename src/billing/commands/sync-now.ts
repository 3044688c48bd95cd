import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../edge/actor';
import { Clock, later } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { BillingFailures } from '../billing.failures';
import type { SubscriptionView } from '../billing.views';
import { SubscriptionRepository } from '../data/subscription.repository';
import { PlanCache } from '../plan-cache';
import { ProcessorGateway } from '../processor/processor-gateway';
import { Rereading } from '../rereading';

/** Seconds in which the processor is asked once for a tenant, however many people wait for it. */
const PATIENCE = 5;

/** Reads the tenant's subscription at the processor now: for a client that comes back from its checkout. BILLING_UNAVAILABLE. */
export class SyncNow extends Command<Result<SubscriptionView>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@CommandHandler(SyncNow)
export class SyncNowHandler implements ICommandHandler<SyncNow> {
  private readonly asking = new Map<string, Promise<Result>>();

  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly rereading: Rereading,
    private readonly gateway: ProcessorGateway,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor }: SyncNow): Promise<Result<SubscriptionView>> {
    if (!this.gateway.isSetUp) return err(BillingFailures.unavailable);
    const { tenantId } = actor;
    const asked = await (this.asking.get(tenantId) ?? this.ask(actor));
    return asked.ok ? ok((await this.cache.reload(tenantId)).view) : asked;
  }

  /** Who comes while somebody else's question is on its way waits for that answer: a page that asks twice must not get the old state second. */
  private ask(actor: TenantActor): Promise<Result> {
    const { tenantId } = actor;
    const asking = this.askOnce(actor).finally(() => this.asking.delete(tenantId));
    this.asking.set(tenantId, asking);
    return asking;
  }

  private async askOnce(actor: TenantActor): Promise<Result> {
    const { tenantId } = actor;
    const now = this.clock.now();
    const taken = await this.unitOfWork.within(actor, async () => ok(await this.subscriptions.takeAsking(tenantId, now, later(now, -PATIENCE))));
    if (!taken.ok) return taken;
    if (!taken.value) return ok();
    const read = await this.rereading.reread(tenantId);
    if (!read.ok) await this.unitOfWork.within(actor, async () => ok(await this.subscriptions.endAsking(tenantId, now)));
    return read;
  }
}

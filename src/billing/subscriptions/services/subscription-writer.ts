import { Injectable } from '@nestjs/common';
import { NotificationRepository } from '../../../notifications/notifications.api';
import { Clock } from '../../../platform/clock';
import { DomainEvents } from '../../../platform/domain-events';
import { Jobs } from '../../../platform/jobs/jobs';
import { TenantOwners } from '../../../tenants/tenants.api';
import { factsOf, NOBODY, SubscriptionChanged } from '../../billing.events';
import { SendBillingMail } from '../commands/send-billing-mail';
import { SubscriptionRepository } from '../data/subscription.repository';
import { WebhookEventRepository } from '../../webhooks/data/webhook-event.repository';
import type { Notice } from '../domain/notice';
import type { Subscription } from '../domain/subscription';

/**
 * A subscription that the processor has something to say about: as it was, as it is becoming, and
 * what its Owner is to be told.
 */
export class SubscriptionChange {
  readonly notices: Notice[] = [];
  private readonly before: Readonly<Subscription>;

  /** @param before as it was, where that is not how it is now */
  constructor(
    readonly subscription: Subscription,
    before: Readonly<Subscription> = subscription,
  ) {
    this.before = Object.assign(Object.create(null), before) as Subscription;
  }

  /** Forgets it: something newer is known already. */
  discard(): void {
    Object.assign(this.subscription, this.before);
    this.notices.length = 0;
  }

  /** Whether it is about the subscription that the tenant had before. */
  get isOfSame(): boolean {
    return this.subscription.processorSubscriptionId === this.before.processorSubscriptionId;
  }

  /** Whether anything that people see is otherwise. */
  get isVisible(): boolean {
    const { subscription, before } = this;
    return VISIBLE.some((field) => valueOf(subscription[field]) !== valueOf(before[field]));
  }

  /**
   * Whether there is anything to store. Of which moment it is, is none: what stays the same is not
   * written (specification, States).
   */
  get isDirty(): boolean {
    return this.isVisible || INNER.some((field) => valueOf(this.subscription[field]) !== valueOf(this.before[field]));
  }

  /** What is to be remembered of it, if it is more than a date. */
  event(cause: string): SubscriptionChanged[] {
    const { subscription, before } = this;
    const isRemembered = JSON.stringify(factsOf(before)) !== JSON.stringify(factsOf(subscription));
    return isRemembered ? [new SubscriptionChanged(NOBODY, subscription.tenantId, before, subscription, cause)] : [];
  }
}

const VISIBLE = [
  'processorCustomerId',
  'processorSubscriptionId',
  'plan',
  'status',
  'currentPeriodEnd',
  'cancelAtPeriodEnd',
  'trialEndsAt',
] as const satisfies readonly (keyof Subscription)[];
const INNER = [
  'processorStatus',
  'subscriptionCreatedAt',
  'hadTrial',
  'toldPastDue',
  'openInvoiceId',
  'openInvoiceAt',
  'toldTrialEnd',
] as const satisfies readonly (keyof Subscription)[];

const valueOf = (value: unknown) => (value instanceof Date ? value.getTime() : value);

/**
 * How a change by the processor is stored, whoever heard of it: the row, its history, the
 * notifications and the mails, in the running transaction.
 */
@Injectable()
export class SubscriptionWriter {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly inbox: WebhookEventRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly notifications: NotificationRepository,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * A change is discarded where something newer was applied already that left the row as it was.
   * @param cause `event evt_…` or `sync`
   * @param at    of which moment of the processor's clock it is
   * @returns those that are stored
   */
  async save(changes: readonly SubscriptionChange[], cause: string, at: Date): Promise<readonly SubscriptionChange[]> {
    const dirty = await this.withoutOvertaken(
      changes.filter(({ isDirty }) => isDirty),
      at,
    );
    for (const { subscription, isVisible } of dirty) if (isVisible) subscription.touch(this.clock.now());
    await this.subscriptions.save(dirty.map(({ subscription }) => subscription));
    const events = dirty.flatMap((change) => change.event(cause));
    if (events.length > 0) await this.events.publish(...events);
    await this.tell(dirty.filter(({ notices }) => notices.length > 0));
    return dirty;
  }

  private async withoutOvertaken(
    changes: readonly SubscriptionChange[],
    at: Date,
  ): Promise<readonly SubscriptionChange[]> {
    if (changes.length === 0) return changes;
    const overtaken = await this.inbox.overtaken(
      changes.map(({ subscription }) => subscription.tenantId),
      at,
    );
    const isOvertaken = ({ subscription }: SubscriptionChange) => overtaken.has(subscription.tenantId);
    for (const change of changes.filter(isOvertaken)) change.discard();
    return changes.filter((change) => !isOvertaken(change));
  }

  /** Whoever is the Owner now is told, at the address they have now. */
  private async tell(changes: readonly SubscriptionChange[]): Promise<void> {
    if (changes.length === 0) return;
    const owners = await this.tenantOwners.of(changes.map(({ subscription }) => subscription.tenantId));
    const told = changes.flatMap(({ subscription, notices }) => {
      const owner = owners.get(subscription.tenantId);
      return owner ? notices.map((notice) => ({ notice, owner, subscription })) : [];
    });
    await this.notifications.add(
      told.map(({ notice: { kind, ...rest }, owner: { tenantId, userId }, subscription: { plan } }) => ({
        tenantId,
        userId,
        kind,
        data: { plan, ...rest },
      })),
    );
    const mails = told.map(({ notice, owner, subscription }) =>
      SendBillingMail.about(notice, owner, subscription.plan),
    );
    await this.jobs.enqueueAll(mails.map((command) => ({ command })));
  }
}

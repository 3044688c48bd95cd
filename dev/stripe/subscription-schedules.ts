import type { EventLog } from './event-log';
import type { ProrationBehavior } from './subscription-change';
import type { ScheduleRecord, SchedulePhase, SubscriptionRecord } from './records';
import type { State } from './state';
import { StripeError } from './stripe-error';
import type { SubscriptionLifecycle } from './subscription-lifecycle';

/** Schedules: changes of subscriptions at a later time. */
export class Schedules {
  constructor(
    private readonly state: State,
    private readonly eventLog: EventLog,
    private readonly lifecycle: SubscriptionLifecycle,
  ) {}

  /** Creates a schedule with the current period of a subscription as its only phase. */
  createFrom(subscription: SubscriptionRecord): ScheduleRecord {
    const { customer, currency, status, schedule, price, quantity, trialEnd, cancelAt } = subscription;
    if (status === 'canceled') throw new StripeError('You cannot migrate a subscription that is canceled.');
    if (schedule !== null)
      throw new StripeError(
        `You cannot migrate a subscription that is already attached to a schedule: \`${schedule}\`.`,
        { param: 'from_subscription' },
      );
    const at = this.state.seconds();
    const phase: SchedulePhase = {
      start: subscription.periodStart,
      end: subscription.periodEnd,
      price,
      quantity,
      proration: 'create_prorations',
      trialEnd: status === 'trialing' ? trialEnd : null,
      discounts: subscription.discounts,
      metadata: {},
    };
    const created: ScheduleRecord = this.state.schedules.add({
      id: this.state.random.id('sub_sched', 24),
      created: at,
      customer,
      currency,
      subscription: subscription.id,
      status: 'active',
      phases: [phase],
      phase: 0,
      endBehavior: cancelAt === null ? 'release' : 'cancel',
      releasedSubscription: null,
      completedAt: null,
      canceledAt: null,
      releasedAt: null,
      metadata: {},
    });
    this.eventLog.ofSchedule('created', created, at);
    this.eventLog.updated(subscription, at, () => (subscription.schedule = created.id));
    this.lifecycle.scheduleNext(subscription, at);
    return created;
  }

  /** Replaces the current phase and what follows it. What changes now is charged as asked for. */
  update(schedule: ScheduleRecord, { phases, proration, ...rest }: ScheduleUpdate): void {
    const subscription = this.subscriptionOf(schedule);
    const at = this.state.seconds();
    if (phases) {
      schedule.phases = [...schedule.phases.slice(0, schedule.phase), ...phases];
      this.lifecycle.enter(subscription, { ...phases[0], proration: proration ?? 'create_prorations' }, at);
    }
    Object.assign(schedule, rest);
    this.eventLog.ofSchedule('updated', schedule, at);
    this.lifecycle.scheduleNext(subscription, at);
  }

  /** Ends a schedule. Its subscription stays as it is. */
  release(schedule: ScheduleRecord): void {
    const subscription = this.subscriptionOf(schedule);
    this.lifecycle.releaseSchedule(schedule, subscription, this.state.seconds());
    this.lifecycle.scheduleNext(subscription, this.state.seconds());
  }

  /** Ends a schedule and its subscription. */
  cancel(schedule: ScheduleRecord): void {
    this.lifecycle.cancel(this.subscriptionOf(schedule), this.state.seconds(), 'cancellation_requested');
  }

  /** @throws a StripeError if the schedule has ended */
  private subscriptionOf({ status, subscription }: ScheduleRecord): SubscriptionRecord {
    if (status !== 'active' || subscription === null)
      throw new StripeError(`You cannot change a subscription schedule that is in the \`${status}\` status.`);
    return this.state.subscriptions.get(subscription)!;
  }
}

/** A change of a schedule. What is absent stays as it is. */
export interface ScheduleUpdate {
  /** The current phase and those after it. */
  readonly phases?: readonly SchedulePhase[];
  readonly proration?: ProrationBehavior;
  readonly endBehavior?: ScheduleRecord['endBehavior'];
  readonly metadata?: ScheduleRecord['metadata'];
}

import type Stripe from 'stripe';
import { listPage, type ListParams } from './pagination';
import type { ProrationBehavior } from './subscription-change';
import type { ScheduleRecord } from './records';
import { mergedMetadata, route, type Context, type Routes } from './routes';
import { scheduleObject } from './schedule-objects';
import { phasesOf } from './schedule-parameters';
import { resourceMissing, StripeError } from './stripe-error';

/** Schedules of subscriptions. */
export const scheduleRoutes: Routes = {
  'POST /v1/subscription_schedules': route<Stripe.SubscriptionScheduleCreateParams>(({ state, schedules }, params) => {
    const { from_subscription: id } = params;
    if (id === undefined || params.phases !== undefined)
      throw new StripeError('This stand-in creates schedules from a subscription: give `from_subscription` only.', {
        param: 'from_subscription',
      });
    const subscription = state.subscriptions.get(id);
    if (!subscription) throw resourceMissing('subscription', id, 'from_subscription');
    const schedule = schedules.createFrom(subscription);
    schedule.metadata = mergedMetadata({}, params.metadata);
    return scheduleObject(schedule);
  }),
  'GET /v1/subscription_schedules/{id}': route((context, _params, id) => scheduleObject(scheduleWith(context, id))),
  'POST /v1/subscription_schedules/{id}': route<Stripe.SubscriptionScheduleUpdateParams>((context, params, id) => {
    const schedule = scheduleWith(context, id);
    const { phases, end_behavior: endBehavior = schedule.endBehavior } = params;
    context.schedules.update(schedule, {
      phases: phases && phasesOf(context.state, schedule, phases),
      proration: params.proration_behavior as ProrationBehavior | undefined,
      endBehavior: endBehavior as ScheduleRecord['endBehavior'],
      metadata: mergedMetadata(schedule.metadata, params.metadata),
    });
    return scheduleObject(schedule);
  }),
  'POST /v1/subscription_schedules/{id}/release': route((context, _params, id) => {
    const schedule = scheduleWith(context, id);
    context.schedules.release(schedule);
    return scheduleObject(schedule);
  }),
  'POST /v1/subscription_schedules/{id}/cancel': route((context, _params, id) => {
    const schedule = scheduleWith(context, id);
    context.schedules.cancel(schedule);
    return scheduleObject(schedule);
  }),
  'GET /v1/subscription_schedules': route<ListParams>(({ state }, params) =>
    listPage(
      {
        url: '/v1/subscription_schedules',
        name: 'subscription_schedule',
        table: state.schedules,
        customers: state.customers,
        render: scheduleObject,
      },
      params,
    ),
  ),
};

function scheduleWith({ state }: Context, id: string): ScheduleRecord {
  const schedule = state.schedules.get(id);
  if (!schedule) throw resourceMissing('subscription_schedule', id);
  return schedule;
}

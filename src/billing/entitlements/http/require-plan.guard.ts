import { applyDecorators, createParamDecorator, Injectable, UseGuards, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import { GuardFailures } from '../../../http/openapi/openapi-responses.decorator';
import { BillingFailures } from '../../billing.failures';
import type { PaidPlan } from '../domain/plan';
import { PlanCache, type CurrentSubscription } from '../services/plan-cache';
import { SubscriptionGuard } from './subscription.guard';

const RequiredPlans = Reflector.createDecorator<readonly PaidPlan[]>();

/** Refuses with 402 if the tenant's plan is not one of those that the route requires. */
@Injectable()
export class PlanGuard extends SubscriptionGuard {
  constructor(
    cache: PlanCache,
    private readonly reflector: Reflector,
  ) {
    super(cache);
  }

  protected includes(route: ExecutionContext, { planInForce }: CurrentSubscription): boolean {
    return this.plansOf(route).some((plan) => plan === planInForce);
  }

  protected details(route: ExecutionContext) {
    return { requiredPlan: this.plansOf(route) };
  }

  private plansOf(route: ExecutionContext): readonly PaidPlan[] {
    return this.reflector.get(RequiredPlans, route.getHandler());
  }
}

/**
 * Restricts a route to tenants with one of these plans; others get 402 PLAN_REQUIRED
 * (docs/contract.md, Plan on the request).
 */
export const RequirePlan = (...plans: PaidPlan[]) =>
  applyDecorators(
    RequiredPlans(plans),
    UseGuards(PlanGuard),
    ApiExtension('x-needs-plan', plans),
    GuardFailures(BillingFailures.planRequired),
  );

/** The active tenant's subscription, at most 5 minutes old; undefined without an active tenant. */
export const RequestSubscription = createParamDecorator(
  (_: unknown, context: ExecutionContext): CurrentSubscription | undefined =>
    context.switchToHttp().getRequest<Request>().subscription,
);

import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import { FailureException } from '../../../http/responses/http-status';
import { GuardFailures } from '../../../http/openapi/openapi-responses.decorator';
import { BillingFailures } from '../../billing.failures';
import type { PaidPlan } from '../domain/plan';
import { PlanCache, type CurrentSubscription } from '../services/plan-cache';

const RequiredPlans = Reflector.createDecorator<readonly PaidPlan[]>();

/**
 * Refuses with 402 if the tenant's plan is not one of those that the route requires. Before a
 * refusal the plan is read from the database, because the cached one may be 5 minutes old.
 */
@Injectable()
export class PlanGuard implements CanActivate {
  constructor(
    private readonly cache: PlanCache,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const plans = this.reflector.get(RequiredPlans, context.getHandler());
    const request = context.switchToHttp().getRequest<Request>();
    const includes = (subscription: CurrentSubscription | undefined) =>
      plans.some((plan) => plan === subscription?.planInForce);
    if (includes(request.subscription)) return true;
    const tenantId = request.identity?.ok ? request.identity.value.tenantId : null;
    if (tenantId !== null) request.subscription = await this.cache.reload(tenantId);
    if (includes(request.subscription)) return true;
    throw new FailureException(BillingFailures.planRequired);
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

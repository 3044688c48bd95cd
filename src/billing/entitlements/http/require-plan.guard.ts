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
 * 402 when the tenant's plan is none of those that the route needs. Nobody is refused by a memory
 * that is 5 minutes old: the database is asked first.
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
 * The route is for tenants with one of these plans: 402 PLAN_REQUIRED for others (contract section
 * 5).
 */
export const RequirePlan = (...plans: PaidPlan[]) =>
  applyDecorators(
    RequiredPlans(plans),
    UseGuards(PlanGuard),
    ApiExtension('x-needs-plan', plans),
    GuardFailures(BillingFailures.planRequired),
  );

/**
 * What the active tenant is subscribed to, as the request knows it; undefined for who is in no
 * tenant.
 */
export const RequestSubscription = createParamDecorator(
  (_: unknown, context: ExecutionContext): CurrentSubscription | undefined =>
    context.switchToHttp().getRequest<Request>().subscription,
);

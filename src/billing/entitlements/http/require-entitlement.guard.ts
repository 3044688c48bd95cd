import { applyDecorators, Injectable, UseGuards, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { GuardFailures } from '../../../http/openapi/openapi-responses.decorator';
import { BillingFailures } from '../../billing.failures';
import type { Feature } from '../../catalogue/domain/plan-catalogue';
import { featureDetails } from '../domain/required-plans';
import { PlanCache, type CurrentSubscription } from '../services/plan-cache';
import { SubscriptionGuard } from './subscription.guard';

const RequiredFeature = Reflector.createDecorator<Feature>();

/** Refuses with 402 if the tenant does not have the feature that the route requires. */
@Injectable()
export class EntitlementGuard extends SubscriptionGuard {
  constructor(
    cache: PlanCache,
    private readonly reflector: Reflector,
  ) {
    super(cache);
  }

  protected includes(route: ExecutionContext, { entitlements }: CurrentSubscription): boolean {
    return entitlements.features.includes(this.featureOf(route));
  }

  protected details(route: ExecutionContext) {
    return featureDetails(this.featureOf(route));
  }

  private featureOf(route: ExecutionContext): Feature {
    return this.reflector.get(RequiredFeature, route.getHandler());
  }
}

/**
 * Restricts a route to tenants whose plan includes a feature, or who were given it; others get 402
 * PLAN_REQUIRED (docs/contract.md, Entitlements).
 */
export const RequireEntitlement = (feature: Feature) =>
  applyDecorators(
    RequiredFeature(feature),
    UseGuards(EntitlementGuard),
    ApiExtension('x-needs-entitlement', feature),
    GuardFailures(BillingFailures.planRequired),
  );

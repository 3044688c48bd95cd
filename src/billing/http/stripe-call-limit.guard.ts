import {
  applyDecorators,
  Inject,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Store } from 'express-rate-limit';
import { SETTINGS, type Settings } from '../../config/settings';
import { RateLimitMetrics } from '../../http/rate-limits/rate-limit-metrics';
import { hit, RateLimitStores } from '../../http/rate-limits/rate-limit-stores';
import { FailureException } from '../../http/responses/http-status';
import { MINUTE, secondsUntil } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';

/** Requests of a tenant in a minute that may call Stripe. */
export const STRIPE_REQUESTS_PER_MINUTE = 60;

/**
 * Limits the requests of a tenant that call Stripe: all tenants share the account's limit there.
 * Without RATE_LIMIT_PER_MINUTE there is no limit.
 */
@Injectable()
export class StripeCallLimitGuard implements CanActivate {
  private readonly requests: Store;

  constructor(
    stores: RateLimitStores,
    private readonly metrics: RateLimitMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.requests = stores.create('stripe-requests', MINUTE * 1000);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { identity } = context.switchToHttp().getRequest<Request>();
    const tenantId = identity?.ok ? identity.value.tenantId : null;
    if (tenantId === null || this.settings.rateLimitPerMinute === 0) return true;
    const counted = await hit(this.requests, tenantId);
    if (!counted || counted.totalHits <= STRIPE_REQUESTS_PER_MINUTE) return true;
    this.metrics.count('stripe');
    const retryAfter = secondsUntil(counted.resetTime, MINUTE);
    throw new FailureException({ ...PlatformFailures.rateLimited, retryAfter });
  }
}

/** For routes that call Stripe: at most 60 requests of a tenant in a minute, else 429. */
export const CallsStripe = () => applyDecorators(UseGuards(StripeCallLimitGuard));

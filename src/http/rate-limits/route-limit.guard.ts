import {
  applyDecorators,
  Inject,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Store } from 'express-rate-limit';
import { SETTINGS, type Settings } from '../../config/settings';
import { MINUTE, secondsUntil } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';
import { RateLimitMetrics } from './rate-limit-metrics';
import { hit, RateLimitStores } from './rate-limit-stores';

interface RouteLimit {
  /** Routes of one kind are counted together. */
  readonly kind: 'stripe' | 'pictures' | 'webhooks';
  readonly perMinute: number;
  /** Whose requests are counted together. */
  readonly by: 'tenant' | 'user';
}

const Limit = Reflector.createDecorator<RouteLimit>();

/** Refuses requests beyond the limit of a route. Without RATE_LIMIT_PER_MINUTE there is none. */
@Injectable()
export class RouteLimitGuard implements CanActivate {
  private readonly counters = new Map<string, Store>();

  constructor(
    private readonly stores: RateLimitStores,
    private readonly metrics: RateLimitMetrics,
    private readonly reflector: Reflector,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { kind, perMinute, by } = this.reflector.get(Limit, context.getHandler());
    const { identity } = context.switchToHttp().getRequest<Request>();
    const key = identity?.ok ? identity.value[`${by}Id`] : null;
    if (key === null || this.settings.rateLimitPerMinute === 0) return true;
    const counted = await hit(this.counterOf(kind), key);
    if (!counted || counted.totalHits <= perMinute) return true;
    this.metrics.count(kind);
    const retryAfter = secondsUntil(counted.resetTime, MINUTE);
    throw new FailureException({ ...PlatformFailures.rateLimited, retryAfter });
  }

  private counterOf(kind: string): Store {
    const counter = this.counters.get(kind) ?? this.stores.create(`${kind}-requests`, MINUTE * 1000);
    this.counters.set(kind, counter);
    return counter;
  }
}

/** For routes that cost more than others: beyond the limit 429 RATE_LIMITED. */
export const LimitedRoute = (limit: RouteLimit) => applyDecorators(Limit(limit), UseGuards(RouteLimitGuard));

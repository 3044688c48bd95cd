import '../src/config/thread-pool';
import { Injectable, type CanActivate, type ExecutionContext, type FactoryProvider } from '@nestjs/common';
import type { Request } from 'express';
import { AppModule } from '../src/app.module';
import { AttachSubscriptionGuard } from '../src/billing/entitlements/http/attach-subscription.guard';
import { PlanCache, type CurrentSubscription } from '../src/billing/entitlements/services/plan-cache';
import { processEnvironment } from '../src/config/read-environment';
import { readSettings } from '../src/config/settings';
import { serve } from '../src/serve';

/**
 * Attaches the subscription of the first request to every request, so that responses have the same
 * content as those of the service.
 */
@Injectable()
class AttachFirstSubscription implements CanActivate {
  private first?: CurrentSubscription;

  constructor(private readonly cache: PlanCache) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    request.subscription = this.first;
    return this.first ? true : this.remember(request);
  }

  private async remember({ identity }: Request): Promise<boolean> {
    if (identity?.ok && identity.value.tenantId) this.first = await this.cache.get(identity.value.tenantId);
    return true;
  }
}

/** The service without the lookup of the subscription, to measure what the lookup costs. */
const whole = AppModule.for.bind(AppModule);
AppModule.for = (settings, log) => {
  const module = whole(settings, log);
  const isGuard = (provider: unknown) =>
    (provider as FactoryProvider & { useExisting?: unknown }).useExisting === AttachSubscriptionGuard;
  const providers = module.providers!.map((provider) =>
    isGuard(provider)
      ? {
          provide: (provider as FactoryProvider).provide,
          useFactory: (cache: PlanCache) => new AttachFirstSubscription(cache),
          inject: [PlanCache],
        }
      : provider,
  );
  if (!module.providers!.some(isGuard)) throw new Error('The service has no such guard to replace.');
  return { ...module, providers };
};

void serve(readSettings(processEnvironment()));

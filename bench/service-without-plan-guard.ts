import '../src/config/thread-pool';
import type { ExistingProvider } from '@nestjs/common';
import { AppModule } from '../src/app.module';
import { AttachSubscriptionGuard } from '../src/billing/entitlements/http/attach-subscription.guard';
import { processEnvironment } from '../src/config/read-environment';
import { readSettings } from '../src/config/settings';
import { serve } from '../src/serve';

/**
 * The service without the guard that attaches the tenant's subscription to each request, to measure
 * the cost of the guard.
 */
const whole = AppModule.for.bind(AppModule);
AppModule.for = (settings, log) => {
  const module = whole(settings, log);
  const providers = module.providers!.filter(
    (provider) => (provider as ExistingProvider).useExisting !== AttachSubscriptionGuard,
  );
  if (providers.length === module.providers!.length) throw new Error('The service has no such guard to take away.');
  return { ...module, providers };
};

void serve(readSettings(processEnvironment()));

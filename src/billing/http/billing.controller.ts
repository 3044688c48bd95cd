import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NotWhileImpersonating, RequirePermission, SignedIn } from '../../http/access/access.guard';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { ChoiceField } from '../../http/validation/field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { BillingFailures } from '../billing.failures';
import { CheckoutView, PlanView, PortalView, SubscriptionView } from './views/billing.views';
import { StartCheckout } from '../checkout/commands/start-checkout';
import { OpenPortal } from '../checkout/commands/open-portal';
import { SyncNow } from '../sync/commands/sync-now';
import { PAID_PLANS, type PaidPlan } from '../entitlements/domain/plan';
import { GetSubscription } from '../subscriptions/queries/get-subscription';
import { ListPlans } from '../entitlements/queries/list-plans';

class BeginCheckoutBody {
  @ChoiceField(PAID_PLANS) planName!: PaidPlan;
}

const { notFound } = PlatformFailures;
const { alreadySubscribed, checkoutUnderWay, noCustomer, unavailable } = BillingFailures;

/** What the active tenant pays for (specification, Billing). */
@ApiTags('billing')
@Controller('billing')
export class BillingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('plans')
  @SignedIn()
  @Responds({ summary: 'The plans that there are', data: PlanView, list: true })
  listPlans() {
    return this.queries.execute(new ListPlans());
  }

  @Get('subscription')
  @RequirePermission('tenant.billing.read')
  @Responds({ summary: 'What the active tenant is subscribed to', data: SubscriptionView, failures: [notFound] })
  getSubscription(@CurrentTenantActor() actor: TenantActor) {
    return this.queries.execute(new GetSubscription(actor));
  }

  @Post('checkout')
  @RequirePermission('tenant.billing.manage')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Begin to pay for a plan',
    description:
      "Send the browser to `checkoutUrl`; it comes back to {frontend_url}/billing, with `?success=true` when it is done: call POST /billing/sync then. The tenant's " +
      'first subscription begins with a trial. CONFLICT: somebody else is beginning a checkout for this tenant this very moment.',
    data: CheckoutView,
    failures: [notFound, alreadySubscribed, checkoutUnderWay, unavailable],
  })
  beginCheckout(@CurrentTenantActor() actor: TenantActor, @Body() body: BeginCheckoutBody) {
    return this.commands.execute(new StartCheckout(actor, body.planName));
  }

  @Post('portal')
  @RequirePermission('tenant.billing.manage')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Where the subscription is managed',
    description: "The processor's page: change the plan or the card, pause, cancel, resume. Send the browser there.",
    data: PortalView,
    failures: [notFound, noCustomer, unavailable],
  })
  openPortal(@CurrentTenantActor() actor: TenantActor) {
    return this.commands.execute(new OpenPortal(actor));
  }

  @Post('sync')
  @RequirePermission('tenant.billing.read')
  @Responds({
    summary: 'Read the subscription at the processor now',
    description:
      'For a client that comes back from checkout or portal. The processor is asked once in 5 seconds for a tenant, however often this is called.',
    data: SubscriptionView,
    failures: [notFound, unavailable],
  })
  syncNow(@CurrentTenantActor() actor: TenantActor) {
    return this.commands.execute(new SyncNow(actor));
  }
}

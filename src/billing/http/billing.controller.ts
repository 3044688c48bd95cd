import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NotWhileImpersonating, RequirePermission, SignedIn } from '../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { ChoiceField } from '../../http/validation/choice-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { BillingFailures } from '../billing.failures';
import { CheckoutView, PlanView, PortalView, SubscriptionView } from './views/billing.views';
import { StartCheckout } from '../checkout/commands/start-checkout';
import { OpenPortal } from '../checkout/commands/open-portal';
import { SyncOwnSubscription } from '../sync/commands/sync-own-subscription';
import { PAID_PLANS, type PaidPlan } from '../entitlements/domain/plan';
import { GetSubscription } from '../subscriptions/queries/get-subscription';
import { ListPlans } from '../entitlements/queries/list-plans';

class BeginCheckoutBody {
  @ChoiceField(PAID_PLANS) planName!: PaidPlan;
}

const { notFound } = PlatformFailures;
const { alreadySubscribed, checkoutInProgress, noCustomer, unavailable } = BillingFailures;

/** Plans and the subscription of the active tenant (docs/specification.md, Billing). */
@ApiTags('billing')
@Controller('billing')
export class BillingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('plans')
  @SignedIn()
  @Responds({ summary: 'List plans', data: PlanView, list: true })
  listPlans() {
    return this.queries.execute(new ListPlans());
  }

  @Get('subscription')
  @RequirePermission('tenant.billing.read')
  @Responds({ summary: 'Get the subscription of the active tenant', data: SubscriptionView, failures: [notFound] })
  getSubscription(@CurrentTenantActor() actor: TenantActor) {
    return this.queries.execute(new GetSubscription(actor));
  }

  @Post('checkout')
  @RequirePermission('tenant.billing.manage')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Start a checkout',
    description:
      'Redirect the browser to `checkoutUrl`. It returns to {frontend_url}/billing, with `?success=true` after the ' +
      "payment: call POST /billing/sync then. A tenant's first subscription starts with a trial. CONFLICT while " +
      'another request starts a checkout for this tenant.',
    data: CheckoutView,
    failures: [notFound, alreadySubscribed, checkoutInProgress, unavailable],
  })
  beginCheckout(@CurrentTenantActor() actor: TenantActor, @Body() body: BeginCheckoutBody) {
    return this.commands.execute(new StartCheckout(actor, body.planName));
  }

  @Post('portal')
  @RequirePermission('tenant.billing.manage')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Open the billing portal',
    description: "Redirect the browser to `portalUrl`, Stripe's page to change plan or card, pause, cancel or resume.",
    data: PortalView,
    failures: [notFound, noCustomer, unavailable],
  })
  openPortal(@CurrentTenantActor() actor: TenantActor) {
    return this.commands.execute(new OpenPortal(actor));
  }

  @Post('sync')
  @RequirePermission('tenant.billing.read')
  @Responds({
    summary: 'Sync the subscription with Stripe',
    description:
      'Call it after returning from checkout or portal. Reads from Stripe at most once every 5 seconds per tenant.',
    data: SubscriptionView,
    failures: [notFound, unavailable],
  })
  syncNow(@CurrentTenantActor() actor: TenantActor) {
    return this.commands.execute(new SyncOwnSubscription(actor));
  }
}

import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NotWhileImpersonating, PeopleOnly, Public, RequirePermission } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { ChoiceField, OptionalChoiceField } from '../../http/validation/choice-field.decorators';
import { OptionalTextField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { BillingFailures } from '../billing.failures';
import { CallsStripe } from './calls-stripe.decorator';
import { CheckoutView, PortalView, SubscriptionView } from './views/billing.views';
import { PlanView } from './views/plan.views';
import { BILLING_INTERVALS, CURRENCIES, type BillingInterval, type Currency } from '../catalogue/domain/plan-catalogue';
import { StartCheckout } from '../checkout/commands/start-checkout';
import { OpenPortal } from '../checkout/commands/open-portal';
import { SyncOwnSubscription } from '../sync/commands/sync-own-subscription';
import { PAID_PLANS, type PaidPlan } from '../entitlements/domain/plan';
import { GetSubscription } from '../subscriptions/queries/get-subscription';
import { ListPlans } from '../catalogue/queries/list-plans';

class BeginCheckoutBody {
  @ChoiceField(PAID_PLANS) planName!: PaidPlan;
  @OptionalChoiceField(BILLING_INTERVALS) interval?: BillingInterval;
  @OptionalChoiceField(CURRENCIES) currency?: Currency;
  @OptionalTextField(1, 100, 'WELCOME20') promotionCode?: string;
}

const { notFound } = PlatformFailures;
const { alreadySubscribed, changeInProgress, noCustomer, unavailable } = BillingFailures;

/** Plans and the subscription of the active tenant (docs/specification.md, Billing). */
@ApiTags('billing')
@Controller('billing')
export class BillingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('plans')
  @Public()
  @Responds({
    summary: 'List plans',
    description:
      'Browsers and proxies may keep the list for 5 minutes. It has an `ETag`: a request with `If-None-Match` gets ' +
      '304 without a body if the list is the same.',
    data: PlanView,
    list: true,
  })
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
  @StoresAnswer('afterwards')
  @RequirePermission('tenant.billing.manage')
  @PeopleOnly()
  @CallsStripe()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Start a checkout',
    description:
      'The browser returns to {frontend_url}/billing, with `?success=true` after the payment: ' +
      'call POST /billing/sync then.',
    data: CheckoutView,
    failures: [notFound, alreadySubscribed, changeInProgress, unavailable],
  })
  beginCheckout(@CurrentTenantActor() actor: TenantActor, @Body() body: BeginCheckoutBody) {
    return this.commands.execute(
      new StartCheckout(actor, { ...body, plan: body.planName, interval: body.interval ?? 'month' }),
    );
  }

  @Post('portal')
  @StoresAnswer('afterwards')
  @RequirePermission('tenant.billing.manage')
  @PeopleOnly()
  @CallsStripe()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Open the billing portal',
    description: "Stripe's page to change the payment method, pause or cancel.",
    data: PortalView,
    failures: [notFound, noCustomer, unavailable],
  })
  openPortal(@CurrentTenantActor() actor: TenantActor) {
    return this.commands.execute(new OpenPortal(actor));
  }

  @Post('sync')
  @StoresAnswer('afterwards')
  @RequirePermission('tenant.billing.read')
  @Responds({
    summary: 'Sync the subscription with Stripe',
    description: 'Call it after checkout or portal. Reads from Stripe at most once every 5 seconds per tenant.',
    data: SubscriptionView,
    failures: [notFound, unavailable],
  })
  syncNow(@CurrentTenantActor() actor: TenantActor) {
    return this.commands.execute(new SyncOwnSubscription(actor));
  }
}

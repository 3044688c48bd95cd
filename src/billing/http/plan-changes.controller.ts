import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NotWhileImpersonating, PeopleOnly, RequirePermission } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { ChoiceField, OptionalChoiceField } from '../../http/validation/choice-field.decorators';
import { OptionalFlag } from '../../http/validation/flag-field.decorators';
import { PlatformFailures } from '../../platform/platform.failures';
import { BillingFailures } from '../billing.failures';
import { BILLING_INTERVALS, type BillingInterval } from '../catalogue/domain/plan-catalogue';
import { CancelSubscription } from '../changes/commands/cancel-subscription';
import { ChangePlan } from '../changes/commands/change-plan';
import { ResumeSubscription } from '../changes/commands/resume-subscription';
import { PLANS, type Plan } from '../entitlements/domain/plan';
import { CallsStripe } from './calls-stripe.decorator';
import { SubscriptionView } from './views/billing.views';
import { PlanChangeView } from './views/change.views';

const MOMENTS = ['now', 'period-end'] as const;

class ChangePlanBody {
  @ChoiceField(PLANS) planName!: Plan;
  @OptionalChoiceField(BILLING_INTERVALS) interval?: BillingInterval;
  @ChoiceField(MOMENTS) when!: (typeof MOMENTS)[number];
  @OptionalFlag() preview?: boolean;
}

const { notFound } = PlatformFailures;
const { changeInProgress, noSubscription, paymentDue, paymentFailed, samePlan, unavailable } = BillingFailures;
const failures = [notFound, noSubscription, changeInProgress, unavailable] as const;

/** Changes of the subscription of the active tenant (docs/contract.md, Changing the plan). */
@ApiTags('billing')
@Controller('billing')
export class PlanChangesController {
  constructor(private readonly commands: CommandBus) {}

  @Post('change')
  @StoresAnswer('afterwards')
  @RequirePermission('tenant.billing.manage')
  @PeopleOnly()
  @CallsStripe()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Change the plan',
    description:
      'Replaces a scheduled change or cancellation. Free ends the subscription. With `preview`, only returns the cost.',
    data: PlanChangeView,
    failures: [notFound, noSubscription, samePlan, paymentDue, paymentFailed, changeInProgress, unavailable],
  })
  changePlan(@CurrentTenantActor() actor: TenantActor, @Body() body: ChangePlanBody) {
    const { planName: plan, interval, when, preview = false } = body;
    return this.commands.execute(new ChangePlan(actor, { plan, interval, when, isPreview: preview }));
  }

  @Post('cancel')
  @StoresAnswer('afterwards')
  @RequirePermission('tenant.billing.manage')
  @PeopleOnly()
  @CallsStripe()
  @NotWhileImpersonating()
  @Responds({ summary: 'Cancel the subscription at the end of the period', data: SubscriptionView, failures })
  cancelSubscription(@CurrentTenantActor() actor: TenantActor) {
    return this.commands.execute(new CancelSubscription(actor));
  }

  @Post('resume')
  @StoresAnswer('afterwards')
  @RequirePermission('tenant.billing.manage')
  @PeopleOnly()
  @CallsStripe()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Resume the subscription',
    description: 'Cancels a scheduled cancellation or plan change, or ends a pause.',
    data: SubscriptionView,
    failures: [...failures, paymentDue, paymentFailed],
  })
  resumeSubscription(@CurrentTenantActor() actor: TenantActor) {
    return this.commands.execute(new ResumeSubscription(actor));
  }
}

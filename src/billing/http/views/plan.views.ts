import { ApiExtraModels, ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  BILLING_INTERVALS,
  CURRENCIES,
  TAX_BEHAVIORS,
  type BillingInterval,
  type Currency,
  type TaxBehavior,
  type TrialTerms,
} from '../../catalogue/domain/plan-catalogue';
import {
  ENTITLEMENT_KINDS,
  type OfferedEntitlement,
  type OfferedPrice,
  type PlanOffer,
} from '../../catalogue/domain/plan-offer';
import { PLANS, type Plan } from '../../entitlements/domain/plan';
import { LIMITS } from '../../catalogue/domain/plan-catalogue';
import { PLAN_LIMITS, type LimitName, type PlanLimits } from '../../entitlements/domain/plan-limits';

const nullableInteger = (description: string): ApiPropertyOptions => ({
  anyOf: [{ type: 'integer' }, { type: 'null' }],
  description,
});

/** A property for each of LIMITS. */
export class PlanLimitsView {}
for (const [name, description] of Object.entries(LIMITS)) {
  const values = Object.values(PLAN_LIMITS).map((limits) => limits[name as LimitName]);
  const type: ApiPropertyOptions = values.includes(null)
    ? { anyOf: [{ type: 'integer' }, { type: 'null' }] }
    : { type: 'integer' };
  Reflect.defineMetadata('design:type', Object, PlanLimitsView.prototype, name); // the compiler does it for fields
  ApiProperty({ ...type, description })(PlanLimitsView.prototype, name);
}

/** An amount of a plan for each billing period. */
export class PlanPriceView implements OfferedPrice {
  @ApiProperty({ enum: BILLING_INTERVALS, enumName: 'BillingInterval' }) readonly interval!: BillingInterval;
  @ApiProperty({ enum: CURRENCIES, enumName: 'Currency' }) readonly currency!: Currency;
  @ApiProperty({ type: 'integer', description: 'Per period, in the smallest unit, with the included seats' })
  readonly amount!: number;
  @ApiProperty(nullableInteger('Per additional seat; null if seats are not billed'))
  readonly perSeat!: number | null;
  @ApiProperty(nullableInteger('Seats in the amount; null if seats are not billed'))
  readonly includedSeats!: number | null;
  @ApiProperty({ enum: TAX_BEHAVIORS, description: 'Whether the amounts include tax' })
  readonly taxBehavior!: TaxBehavior;
}

/** The trial of a tenant's first subscription. */
export class PlanTrialView implements Pick<TrialTerms, 'days' | 'card'> {
  @ApiProperty({ type: 'integer', example: 14 }) readonly days!: number;
  @ApiProperty({ enum: ['required', 'optional'], description: 'Whether the checkout requires a card' })
  readonly card!: TrialTerms['card'];
}

/** What a plan allows. */
export class PlanEntitlementView implements OfferedEntitlement {
  @ApiProperty({ type: String, example: 'projects' }) readonly name!: string;
  @ApiProperty({ enum: ENTITLEMENT_KINDS, example: 'limit' }) readonly kind!: OfferedEntitlement['kind'];
  @ApiProperty({
    anyOf: [{ type: 'integer' }, { type: 'boolean' }, { type: 'null' }],
    description: 'Limit, days, or whether the feature is included; null if unlimited',
  })
  readonly value!: number | boolean | null;
}

/** A plan that a tenant can subscribe to. */
@ApiExtraModels(PlanTrialView)
export class PlanView implements PlanOffer {
  @ApiProperty({ enum: PLANS, enumName: 'Plan' }) readonly name!: Plan;
  @ApiProperty({ type: String, example: 'For growing teams' }) readonly description!: string;
  @ApiProperty({ type: 'integer', description: "Trial days of a tenant's first subscription" })
  readonly trialDays!: number;
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(PlanTrialView) }, { type: 'null' }],
    description: 'Trial terms; null without a trial',
  })
  readonly trial!: PlanTrialView | null;
  @ApiProperty({ type: [PlanPriceView], description: 'Prices; empty for Free' })
  readonly prices!: readonly PlanPriceView[];
  @ApiProperty({ type: [PlanEntitlementView], description: 'What the plan allows' })
  readonly entitlements!: readonly PlanEntitlementView[];
  @ApiProperty({ type: PlanLimitsView, description: 'What the plan allows' }) readonly limits!: PlanLimits;
  @ApiProperty({ type: Boolean, description: 'Whether the plan can be bought' }) readonly available!: boolean;
}

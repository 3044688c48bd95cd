import { ApiExtraModels, ApiProperty, OmitType } from '@nestjs/swagger';
import { NullableInteger, NullableText } from '../../../../http/validation/nullable.decorators';
import { ENTITLEMENTS, type EntitlementName, type EntitlementValues } from '../../domain/entitlements';
import { PLANS, type Plan } from '../../domain/plan';
import { EntitlementValuesView } from './entitlement-values.views';

/** Where a value comes from. */
export const ENTITLEMENT_SOURCES = [...PLANS, 'Override'] as const;
export type EntitlementSource = (typeof ENTITLEMENT_SOURCES)[number];

/** One thing that a tenant may do, and how much of it is used. */
export class EntitlementView {
  @ApiProperty({ enum: ENTITLEMENTS, enumName: 'EntitlementName' }) readonly name!: EntitlementName;
  @ApiProperty({ type: Boolean, description: 'False for a feature that the tenant has not, and a limit of 0' })
  readonly isIncluded!: boolean;
  @NullableInteger('The limit; null if unlimited, and for a feature') readonly limit!: number | null;
  @NullableInteger('How many there are; null if nothing is counted') readonly used!: number | null;
  @NullableInteger('Open invitations, which count for seats; else null') readonly pending!: number | null;
  @ApiProperty({ enum: ENTITLEMENT_SOURCES, description: 'The plan it comes from, or the override' })
  readonly source!: EntitlementSource;
}

/** What an operator has given to the tenant for a while. */
export class OverrideSummaryView {
  @ApiProperty({
    description: 'A given plan; null: that of the subscription',
    anyOf: [{ type: 'string', enum: [...PLANS] }, { type: 'null' }],
  })
  readonly plan!: Plan | null;
  @ApiProperty({ type: EntitlementValuesView, description: 'What differs from the plan' })
  readonly entitlements!: EntitlementValues;
  @ApiProperty({ type: String, format: 'date-time', description: 'When it ends by itself' })
  readonly endsAt!: string;
}

/** What a tenant may do, and what it uses of it. */
@ApiExtraModels(OverrideSummaryView)
export class EntitlementsView {
  @ApiProperty({ enum: PLANS, enumName: 'Plan', description: 'The plan in force' }) readonly plan!: Plan;
  @ApiProperty({ type: [EntitlementView], description: 'Limits, then features' }) readonly items!: EntitlementView[];
  @ApiProperty({
    description: 'What an operator has given to the tenant for a while',
    anyOf: [{ $ref: '#/components/schemas/OverrideSummaryView' }, { type: 'null' }],
  })
  readonly override!: OverrideSummaryView | null;
}

/** An override, for operators. */
export class EntitlementOverrideView extends OverrideSummaryView {
  @ApiProperty({ type: String, example: 'Pilot until the contract is signed' }) readonly reason!: string;
  @NullableText({ format: 'uuid', description: 'The operator; null after the account was deleted' })
  readonly createdBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: string;
}

/** The same with the override as operators see it. */
@ApiExtraModels(EntitlementOverrideView)
export class TenantEntitlementsView extends OmitType(EntitlementsView, ['override']) {
  @ApiProperty({
    description: 'The override that is in force',
    anyOf: [{ $ref: '#/components/schemas/EntitlementOverrideView' }, { type: 'null' }],
  })
  readonly override!: EntitlementOverrideView | null;
}

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
  @ApiProperty({ type: Boolean, description: 'False for a feature not included and for a limit of 0' })
  readonly isIncluded!: boolean;
  @NullableInteger('The limit; null if unlimited or a feature') readonly limit!: number | null;
  @NullableInteger('Current usage; null if not counted') readonly used!: number | null;
  @NullableInteger('Pending invitations, for seats; otherwise null') readonly pending!: number | null;
  @ApiProperty({ enum: ENTITLEMENT_SOURCES, description: 'The plan or override that sets the value' })
  readonly source!: EntitlementSource;
}

/** An override, as the tenant sees it. */
export class OverrideSummaryView {
  @ApiProperty({
    description: "Null for the subscription's plan",
    anyOf: [{ type: 'string', enum: [...PLANS] }, { type: 'null' }],
  })
  readonly plan!: Plan | null;
  @ApiProperty({ type: EntitlementValuesView, description: 'Overridden values' })
  readonly entitlements!: EntitlementValues;
  @ApiProperty({ type: String, format: 'date-time', description: 'When the override ends' })
  readonly endsAt!: string;
}

/** What a tenant may do, and what it uses of it. */
@ApiExtraModels(OverrideSummaryView)
export class EntitlementsView {
  @ApiProperty({ enum: PLANS, enumName: 'Plan', description: 'The effective plan' }) readonly plan!: Plan;
  @ApiProperty({ type: [EntitlementView], description: 'Limits, then features' }) readonly items!: EntitlementView[];
  @ApiProperty({
    description: 'The current override',
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
    description: 'The current override',
    anyOf: [{ $ref: '#/components/schemas/EntitlementOverrideView' }, { type: 'null' }],
  })
  readonly override!: EntitlementOverrideView | null;
}

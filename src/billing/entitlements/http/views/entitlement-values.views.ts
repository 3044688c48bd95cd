import { OptionalFlag } from '../../../../http/validation/flag-field.decorators';
import { IntegerField, OptionalIntegerField } from '../../../../http/validation/number-field.decorators';
import { NullableField } from '../../../../http/validation/optional.decorators';
import { FEATURES, LIMITS } from '../../../catalogue/domain/plan-catalogue';
import type { EntitlementName } from '../../domain/entitlements';
import { PLAN_LIMITS, type LimitName } from '../../domain/plan-limits';

/** The largest limit that can be given. */
const MOST = 1_000_000;

/**
 * Entitlements in place of those of the plan, in a body and in a view. What is absent comes from
 * the plan. A limit that is null in a plan can be null here: unlimited.
 */
export class EntitlementValuesView {}

for (const name of Object.keys(LIMITS) as LimitName[]) {
  const isNullable = Object.values(PLAN_LIMITS).some((limits) => limits[name] === null);
  decorate(name, isNullable ? NullableField(IntegerField(0, MOST)) : OptionalIntegerField(0, MOST));
}
for (const name of FEATURES) decorate(name, OptionalFlag());

function decorate(name: EntitlementName, rules: (target: never, key: never) => void): void {
  // the compiler does it for fields
  Reflect.defineMetadata('design:type', Object, EntitlementValuesView.prototype, name);
  (rules as PropertyDecorator)(EntitlementValuesView.prototype, name);
}

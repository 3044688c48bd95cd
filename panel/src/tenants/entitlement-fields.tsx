import { MenuItem, TextField } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { labelOf } from '../labels';
import { FEATURES, LIMITS, UNLIMITED, type TypedValues } from './entitlement-values';
import { PLANS } from './subscription-choices';

/** The plan of an override; empty if it has none. */
export type GivenPlan = Schemas['Plan'] | '';

interface PlanFieldProps {
  /** Empty for the subscription's plan. */
  readonly value: GivenPlan;
  /** What is wrong with it. */
  readonly wrong?: readonly string[];
  readonly onChange: (plan: GivenPlan) => void;
}

/** The plan of the override. */
export const PlanField = ({ value, wrong, onChange }: PlanFieldProps) => (
  <TextField
    select
    label="Plan"
    fullWidth
    value={value}
    error={wrong !== undefined}
    helperText={wrong?.join(', ') ?? 'No effect if lower than the subscription’s plan.'}
    slotProps={EMPTY_IS_SHOWN}
    onChange={({ target }) => onChange(target.value as GivenPlan)}
  >
    <MenuItem value="">Subscription’s plan</MenuItem>
    {PLANS.map((name) => (
      <MenuItem key={name} value={name}>
        {name}
      </MenuItem>
    ))}
  </TextField>
);

interface EntitlementFieldsProps {
  readonly values: TypedValues;
  /** What is wrong, by the path of a field in the body. */
  readonly wrong: Readonly<Record<string, readonly string[] | undefined>>;
  readonly onChange: (values: TypedValues) => void;
}

/** The overridden limits and features; empty ones come from the plan. */
export const EntitlementFields = ({ values, wrong, onChange }: EntitlementFieldsProps) => {
  const fieldOf = (name: keyof TypedValues) => ({
    label: labelOf(name),
    fullWidth: true,
    value: values[name] ?? '',
    error: `entitlements.${name}` in wrong,
    helperText: wrong[`entitlements.${name}`]?.join(', '),
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...values, [name]: target.value }),
  });
  return (
    <>
      {LIMITS.map((name) => (
        <TextField
          key={name}
          {...fieldOf(name)}
          autoComplete="off"
          placeholder={UNLIMITED.includes(name) ? 'Plan default (a number or “unlimited”)' : 'Plan default'}
        />
      ))}
      {FEATURES.map((name) => (
        <TextField key={name} select {...fieldOf(name)} slotProps={EMPTY_IS_SHOWN}>
          <MenuItem value="">Plan default</MenuItem>
          <MenuItem value="true">Included</MenuItem>
          <MenuItem value="false">Not included</MenuItem>
        </TextField>
      ))}
    </>
  );
};

/** Shows the choice for an empty value, too. */
const EMPTY_IS_SHOWN = { select: { displayEmpty: true }, inputLabel: { shrink: true } };

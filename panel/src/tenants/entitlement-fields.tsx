import { MenuItem, TextField } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { useApiQuery } from '../components/use-api-query';
import { labelOf } from '../labels';
import { FEATURES, LIMITS, textOf, UNLIMITED, type TypedValues } from './entitlement-values';
import { PLANS } from './subscription-choices';

type Tenant = Pick<Schemas['AdminTenantDetailView'], 'plan' | 'status' | 'processorStatus'>;

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
  readonly tenant: Tenant;
  /** The plan that is given. */
  readonly plan: GivenPlan;
  readonly values: TypedValues;
  /** What is wrong, by the path of a field in the body. */
  readonly wrong: Readonly<Record<string, readonly string[] | undefined>>;
  readonly onChange: (values: TypedValues) => void;
}

/** The overridden limits and features; empty ones come from the plan, whose values they show. */
export const EntitlementFields = ({ tenant, plan, values, wrong, onChange }: EntitlementFieldsProps) => {
  const plans = useApiQuery(['plans'], () => api.GET('/billing/plans')).data?.items;
  const inForce = plans?.find((one) => one.name === higherOf(tenant, plan));
  const defaultOf = (name: keyof TypedValues) => {
    const known = inForce?.entitlements.find((one) => one.name === name);
    return known ? `Plan: ${textOf(name, known.value).toLowerCase()}` : 'Plan default';
  };
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
          placeholder={UNLIMITED.includes(name) ? `${defaultOf(name)} (a number or “unlimited”)` : defaultOf(name)}
          slotProps={LABEL_IS_ABOVE}
        />
      ))}
      {FEATURES.map((name) => (
        <TextField key={name} select {...fieldOf(name)} slotProps={EMPTY_IS_SHOWN}>
          <MenuItem value="">{defaultOf(name)}</MenuItem>
          <MenuItem value="true">Included</MenuItem>
          <MenuItem value="false">Not included</MenuItem>
        </TextField>
      ))}
    </>
  );
};

/** The plan whose values apply: a given plan counts if it is higher than the subscription's. */
function higherOf(tenant: Tenant, given: GivenPlan): Schemas['Plan'] {
  const subscribed = isPlanInForce(tenant) ? tenant.plan : 'Free';
  return given !== '' && PLANS.indexOf(given) > PLANS.indexOf(subscribed) ? given : subscribed;
}

/** The plan stays while a payment is due, unless the first invoice was never paid. */
const isPlanInForce = ({ status, processorStatus }: Tenant) =>
  status !== 'Canceled' && status !== 'Paused' && !(status === 'PastDue' && processorStatus === 'incomplete');

/** Shows the placeholder without the focus, too. */
const LABEL_IS_ABOVE = { inputLabel: { shrink: true } };
/** Shows the choice for an empty value, too. */
const EMPTY_IS_SHOWN = { select: { displayEmpty: true }, inputLabel: { shrink: true } };

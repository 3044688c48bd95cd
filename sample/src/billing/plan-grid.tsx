import { Box, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { localCurrency } from './money-format';
import { PlanCard } from './plan-card';
import { currenciesOf, type Plan, type PriceChoice } from './plan-prices';
import { PriceChoiceBar } from './price-choice-bar';

interface PlanGridProps {
  readonly plans: readonly Plan[];
  readonly title: ReactNode;
  readonly current?: Plan['name'];
  /** The interval and the currency of the subscription, if there is one. */
  readonly subscribed?: { readonly interval: PriceChoice['interval'] | null; readonly currency: string | null };
  /** Said once about all plans. */
  readonly note?: string;
  /** The button of a plan. */
  readonly action: (plan: Plan, choice: PriceChoice) => ReactNode;
}

/** The plans side by side, with the switch between monthly and yearly prices. */
export function PlanGrid({ plans, title, current, subscribed, note, action }: PlanGridProps) {
  const offered = currenciesOf(plans);
  const [choice, choose] = useState<PriceChoice>({
    interval: subscribed?.interval ?? 'month',
    currency: offered.find((each) => each === subscribed?.currency) ?? localCurrency(offered) ?? 'usd',
  });
  const tax = plans.flatMap(({ prices }) => prices).find(({ taxBehavior }) => taxBehavior in TAX_NOTES)?.taxBehavior;
  return (
    <Box>
      <Box
        sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'center', mb: 2 }}
      >
        {title}
        <PriceChoiceBar {...{ plans, choice, choose }} isCurrencyFixed={Boolean(subscribed?.currency)} />
      </Box>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: 'repeat(3, 1fr)' } }}>
        {plans.map((plan) => (
          <PlanCard key={plan.name} plan={plan} choice={choice} isCurrent={plan.name === current}>
            {action(plan, choice)}
          </PlanCard>
        ))}
      </Box>
      {(note || tax) && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
          {[note, tax && TAX_NOTES[tax]].filter(Boolean).join(' ')}
        </Typography>
      )}
    </Box>
  );
}

const TAX_NOTES: Readonly<Record<string, string>> = {
  exclusive: 'Prices don’t include tax, which is added where it applies.',
  inclusive: 'Prices include tax.',
};

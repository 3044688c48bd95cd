import { Box, Chip, Paper, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { money } from './money-format';
import { PlanFeatures } from './plan-features';
import { type Plan, type PriceChoice, priceOf } from './plan-prices';

interface PlanCardProps {
  readonly plan: Plan;
  readonly choice: PriceChoice;
  readonly isCurrent?: boolean;
  /** The button of the plan, and what is said about it. */
  readonly children: ReactNode;
}

/** A plan with its price and what it allows. */
export function PlanCard({ plan, choice, isCurrent, children }: PlanCardProps) {
  const price = priceOf(plan, choice);
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={plan.name}
      sx={{
        p: { xs: 2, sm: 2.5 },
        display: 'grid',
        gap: 2,
        alignContent: 'start',
        // side by side, the parts of all cards begin at the same heights
        gridRow: { md: 'span 4' },
        gridTemplateRows: { md: 'subgrid' },
        ...(isCurrent && { borderColor: 'primary.main', boxShadow: 'inset 0 0 0 1px var(--mui-palette-primary-main)' }),
      }}
    >
      <Box>
        <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center', minHeight: 28 }}>
          <Typography variant="h2">{plan.name}</Typography>
          {isCurrent && <Chip size="small" color="primary" label="Current plan" />}
        </Stack>
        <Typography variant="body2" color="textSecondary">
          {plan.description}
        </Typography>
      </Box>
      <Amount plan={plan} choice={choice} />
      <div>{children}</div>
      <PlanFeatures plan={plan} price={price} />
    </Paper>
  );
}

/** What is paid at once, and for a year what that is for a month. */
function Amount({ plan, choice }: { plan: Plan; choice: PriceChoice }) {
  const price = priceOf(plan, choice);
  const isFree = plan.name === 'Free';
  if (!price && !isFree) return <Typography color="textSecondary">Price on request.</Typography>;
  const { interval, currency } = choice;
  const amount = price?.amount ?? 0;
  const perMonth = `${money(Math.round(amount / 12), currency)} a month, billed yearly`;
  return (
    <div>
      <Stack direction="row" sx={{ alignItems: 'baseline', gap: 0.75 }}>
        <Typography component="span" sx={{ fontSize: '1.75rem', fontWeight: 700, letterSpacing: '-0.02em' }}>
          {money(amount, currency)}
        </Typography>
        {!isFree && (
          <Typography component="span" color="textSecondary" variant="body2">
            / {interval}
          </Typography>
        )}
      </Stack>
      <Typography variant="body2" color="textSecondary">
        {isFree ? 'Free forever' : interval === 'year' ? perMonth : 'Billed monthly'}
      </Typography>
    </div>
  );
}

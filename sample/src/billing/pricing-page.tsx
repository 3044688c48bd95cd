import { Box, Stack, Typography } from '@mui/material';
import icon from '../../icon.svg';
import { QueryResult } from '../list/query-result';
import { useClaims } from '../session';
import { ButtonLink } from '../sign-in/button-link';
import { PlanGrid } from './plan-grid';
import { type Plan, usePlans } from './plan-prices';

/** The plans and prices, for everybody. */
export default function PricingPage() {
  const plans = usePlans();
  const isSignedIn = useClaims() !== null;
  return (
    <Box
      component="main"
      tabIndex={-1}
      sx={{ maxWidth: 1040, mx: 'auto', px: 2, py: { xs: 3, sm: 5 }, outline: 'none' }}
    >
      <title>Pricing – Tenantry</title>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1.25, mb: { xs: 4, sm: 6 } }}>
        <img src={icon} alt="" width={32} height={32} />
        <Typography sx={{ fontWeight: 700, fontSize: '1.2rem', flexGrow: 1 }}>Tenantry</Typography>
        <Box>
          <ButtonLink to={isSignedIn ? '/' : '/login'} variant="outlined">
            {isSignedIn ? 'Open Tenantry' : 'Sign in'}
          </ButtonLink>
        </Box>
      </Stack>
      <Typography variant="h1" sx={{ fontSize: { xs: '1.75rem', sm: '2.25rem' } }}>
        Pricing
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 1, mb: 4 }}>
        Start for free. Upgrade when your team needs more.
      </Typography>
      <QueryResult from={plans}>
        {(all) => (
          <PlanGrid
            plans={all}
            title={<Typography variant="h2">Plans</Typography>}
            action={(plan) => <StartLink plan={plan} isSignedIn={isSignedIn} />}
          />
        )}
      </QueryResult>
    </Box>
  );
}

/** Visitors create an account first; users choose on the billing page of their workspace. */
function StartLink({ plan, isSignedIn }: { plan: Plan; isSignedIn: boolean }) {
  const isFree = plan.name === 'Free';
  const label = !isFree && plan.trial ? `Try ${plan.name} for ${plan.trial.days} days` : `Start with ${plan.name}`;
  const to = isSignedIn ? (isFree ? '/' : '/billing') : isFree ? '/register' : '/register?to=/billing';
  return (
    <ButtonLink to={to} variant={isFree ? 'outlined' : 'contained'}>
      {isSignedIn && !isFree ? `Choose ${plan.name}` : label}
    </ButtonLink>
  );
}

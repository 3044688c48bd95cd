import { Box, Button, LinearProgress, Stack, Typography } from '@mui/material';
import { Link } from 'react-router';
import { useHasPermission } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { describeUse, type Entitlement, isReached, takenOf, useEntitlements } from './entitlements';
import { includedSeatsOf, usePlans } from './plan-prices';

/** How much of a limit is used: as text, and as a bar where there is a limit. */
export function UsageMeter({ entitlement }: { entitlement: Entitlement }) {
  const plan = usePlans().data?.find(({ name }) => name === entitlement.source);
  const text = describeUse(entitlement, plan && includedSeatsOf(plan));
  if (!text) return null;
  const { limit } = entitlement;
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" sx={{ mb: 0.75 }}>
        {text}
        {limit === null && (
          <Typography component="span" variant="body2" color="textSecondary">
            {' '}
            · Unlimited
          </Typography>
        )}
      </Typography>
      <LinearProgress
        variant="determinate"
        aria-hidden
        color={isReached(entitlement) ? 'warning' : 'primary'}
        value={limit ? Math.min(100, (takenOf(entitlement) / limit) * 100) : 0}
        sx={{ height: 6, borderRadius: 3, visibility: limit === null ? 'hidden' : undefined }}
      />
    </Box>
  );
}

/** On a page of things that a plan limits: how many there are, and at the limit how to get more. */
export function LimitNotice({ name }: { name: Entitlement['name'] }) {
  const canPay = useHasPermission()('tenant.billing.manage');
  const path = useWorkspacePath();
  const entitlements = useEntitlements().data;
  const entitlement = entitlements?.items.find((item) => item.name === name);
  if (!entitlements || !entitlement?.limit) return null;
  const advice = canPay ? 'Upgrade to add more.' : 'Ask the workspace owner to upgrade.';
  return (
    <Stack
      direction="row"
      role="status"
      sx={{ gap: 2, rowGap: 1, flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between' }}
    >
      <Box sx={{ flex: '1 1 14rem', maxWidth: 420 }}>
        <UsageMeter entitlement={entitlement} />
      </Box>
      {isReached(entitlement) && (
        <Typography variant="body2" color="textSecondary" sx={{ flexGrow: 1 }}>
          You’ve reached the limit of {entitlements.plan}. {advice}
        </Typography>
      )}
      {isReached(entitlement) && canPay && (
        <Button component={Link} to={path('/billing')} variant="outlined" size="small">
          See plans
        </Button>
      )}
    </Stack>
  );
}

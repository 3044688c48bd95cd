import type { Failure } from '@tenantry/client';
import { Button, Stack } from '@mui/material';
import { Link } from 'react-router';
import { useHasPermission } from '../session';
import { useWorkspacePath } from '../workspace-path';

/** For forms: what to do about an error, if it is the plan that does not allow the action. */
export const upgradeAction = ({ code, details }: Failure) =>
  (code === 'PLAN_REQUIRED' || code === 'SEAT_LIMIT') && <UpgradePrompt details={details} />;

/** Names the plan that would allow the action, or whom to ask. */
function UpgradePrompt({ details }: Pick<Failure, 'details'>) {
  const canPay = useHasPermission()('tenant.billing.manage');
  const path = useWorkspacePath();
  const [plan] = details?.requiredPlan ?? [];
  if (!plan) return null;
  if (!canPay) return <div>Ask the workspace owner to upgrade to {plan}.</div>;
  return (
    <Stack spacing={1} sx={{ alignItems: 'flex-start' }}>
      <div>
        {plan} includes {details?.limit ? 'more' : 'it'}.
      </div>
      <Button component={Link} to={path('/billing')} variant="contained" color="primary" size="small">
        See plans
      </Button>
    </Stack>
  );
}

import { Button, Stack } from '@mui/material';
import { Link } from 'react-router';
import { useMe } from '../queries';
import { useHasPermission } from '../session';

/** Offers an upgrade, or names whom to ask. */
export function UpgradePrompt() {
  const canPay = useHasPermission()('tenant.billing.manage');
  const plan = useMe().data?.subscription?.plan;
  if (!canPay) return <div>Ask the workspace owner to upgrade.</div>;
  return (
    <Stack spacing={1} sx={{ alignItems: 'flex-start' }}>
      <div>{plan === 'Free' ? 'Upgrade to Pro for unlimited projects.' : 'Upgrade for more projects.'}</div>
      <Button component={Link} to="/billing" variant="contained" color="primary" size="small">
        See plans
      </Button>
    </Stack>
  );
}

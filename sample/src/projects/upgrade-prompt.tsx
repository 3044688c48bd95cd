import { Button, Stack } from '@mui/material';
import { Link } from 'react-router';
import { useHasPermission } from '../session';

/** The invitation to a bigger plan; who may not pay is told whom to ask. */
export function Upgrade() {
  const canPay = useHasPermission()('tenant.billing.manage');
  if (!canPay) return <div>Ask the owner of this workspace for a bigger plan.</div>;
  return (
    <Stack spacing={1} sx={{ alignItems: 'flex-start' }}>
      <div>A bigger plan has room for more.</div>
      <Button component={Link} to="/billing" variant="contained" color="primary" size="small">
        See plans
      </Button>
    </Stack>
  );
}

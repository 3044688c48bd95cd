import { Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { StatusChip } from '../components/status-chip';

type User = Pick<Schemas['AdminUserView'], 'isAdmin' | 'disabledAt' | 'isEmailVerified'>;

/** What differs from an ordinary account: operator, disabled, unverified. */
export const UserStatusChips = ({ user: { isAdmin, disabledAt, isEmailVerified } }: { user: User }) => (
  <Stack direction="row" component="span" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
    {isAdmin && <StatusChip state="operator" />}
    {disabledAt && <StatusChip state="disabled" />}
    {!isEmailVerified && <StatusChip state="unverified" />}
  </Stack>
);

import { Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { StateChip } from '../parts/state';

type User = Pick<Schemas['AdminUserView'], 'isAdmin' | 'disabledAt' | 'isEmailVerified'>;

/** What is special about an account. */
export const UserStates = ({ user: { isAdmin, disabledAt, isEmailVerified } }: { user: User }) => (
  <Stack direction="row" component="span" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
    {isAdmin && <StateChip state="operator" />}
    {disabledAt && <StateChip state="disabled" />}
    {!isEmailVerified && <StateChip state="unverified" />}
  </Stack>
);

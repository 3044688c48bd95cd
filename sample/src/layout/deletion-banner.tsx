import { Alert, Button } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { longDate } from '../date-format';
import { useMe } from '../queries';
import { api, useImpersonationBlock } from '../session';
import { useToast } from './toasts';

/** Shown on every page while the deletion of the account is planned. */
export function DeletionBanner() {
  const showToast = useToast();
  const blocked = useImpersonationBlock();
  const deletesAt = useMe().data?.deletesAt;
  const keeping = useMutation({
    mutationFn: async () => unwrap(await api.DELETE('/users/me/deletion')),
    onSuccess: () => showToast('Your account will be kept.'),
  });
  if (!deletesAt) return null;
  const keep = !blocked && (
    <Button
      color="inherit"
      variant="outlined"
      size="small"
      sx={{ whiteSpace: 'nowrap' }}
      loading={keeping.isPending}
      onClick={() => keeping.mutate()}
    >
      Keep account
    </Button>
  );
  return (
    <Alert role="status" severity="error" square action={keep || undefined} sx={{ flexWrap: 'wrap' }}>
      Your account will be deleted on {longDate(deletesAt)}.
    </Alert>
  );
}

import { Button } from '@mui/material';
import { Link } from 'react-router';
import { isReached, useEntitlement } from '../billing/entitlements';
import { LimitDialogButton } from '../billing/limit-dialog';
import { Section } from '../layout/page';
import { PagedList } from '../list/paged-list';
import { SHARED_LIST_REFRESH_MS, usePagedQuery } from '../queries';
import { api, useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import type { ServiceAccount } from './key-queries';
import { KeyRow } from './key-row';
import { ReplaceKeyButton } from './replace-key-button';
import { RevokeKeyButton } from './revoke-key-button';

const EMPTY =
  'No keys yet. A program sends a key with each request. The key has the permissions that you give it, and is shown ' +
  'only when it is created.';

/** Keys that have ended do not count. */
const COUNTED = 'Revoking a key of any service account frees a place.';

/** The keys of a service account, newest first, for 30 days after their end. */
export function ServiceKeyList({ account: { id } }: { account: ServiceAccount }) {
  const path = useWorkspacePath();
  const blocked = useImpersonationBlock();
  const pages = usePagedQuery(
    `service-keys ${id}`,
    (page) => api.GET('/tenants/current/keys', { params: { query: { ...page, serviceAccountId: id } } }),
    SHARED_LIST_REFRESH_MS,
  );
  const limit = useEntitlement('keys');
  const isFull = limit !== undefined && isReached(limit);
  const create = isFull ? (
    <LimitDialogButton button="New key" entitlement={limit} noun="API keys" hint={COUNTED} />
  ) : (
    <Button variant="contained" component={Link} to={path(`/api-keys/${id}/new-key`)}>
      New key
    </Button>
  );
  return (
    <Section title="Keys" text="Listed until 30 days after their end." action={!blocked && create}>
      <PagedList pages={pages} empty={EMPTY}>
        {(key) => (
          <KeyRow apiKey={key}>
            <ReplaceKeyButton apiKey={key} />
            <RevokeKeyButton apiKey={key} />
          </KeyRow>
        )}
      </PagedList>
    </Section>
  );
}

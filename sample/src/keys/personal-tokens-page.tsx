import { Button, Typography } from '@mui/material';
import { Link } from 'react-router';
import { AccountTabs } from '../account/account-tabs';
import { Page, Section } from '../layout/page';
import { PagedList } from '../list/paged-list';
import { usePagedQuery, useTenants } from '../queries';
import { api, useClaims, useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { DeleteTokenButton } from './delete-token-button';
import { KeyRow } from './key-row';

const TITLE = 'Personal tokens';

/** The keys with which programs act as the user, in all workspaces. */
export default function PersonalTokensPage() {
  const blocked = useImpersonationBlock();
  return (
    <Page title="Your account" tabTitle={TITLE}>
      <AccountTabs />
      {blocked ? (
        <Section title={TITLE}>
          <Typography color="textSecondary">{blocked}</Typography>
        </Section>
      ) : (
        <TokenList />
      )}
    </Page>
  );
}

function TokenList() {
  const path = useWorkspacePath();
  const hasWorkspace = useClaims()?.tenant_id !== undefined;
  const tenants = useTenants().data;
  const pages = usePagedQuery('tokens', (query) => api.GET('/users/me/tokens', { params: { query } }));
  const create = (
    <Button variant="contained" component={Link} to={path('/account/tokens/new')}>
      New token
    </Button>
  );
  return (
    <Section
      title={TITLE}
      text={
        'For scripts of your own: a token acts as you in one workspace. ' +
        'For servers and anything that your team depends on, use the key of a service account.'
      }
      action={hasWorkspace && create}
    >
      <PagedList pages={pages} empty="No tokens yet.">
        {(token) => (
          <KeyRow apiKey={token} about={tenants?.find(({ tenant }) => tenant.id === token.tenantId)?.tenant.name}>
            <DeleteTokenButton token={token} />
          </KeyRow>
        )}
      </PagedList>
    </Section>
  );
}

import { Alert } from '@mui/material';
import { useParams } from 'react-router';
import { longDate } from '../date-format';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { useWorkspacePath } from '../workspace-path';
import { useServiceAccounts } from './key-queries';
import { ServiceAccountActions } from './service-account-actions';
import { ServiceKeyList } from './service-key-list';

/** A service account with its keys. */
export default function ServiceAccountPage() {
  const { id } = useParams();
  const accounts = useServiceAccounts();
  const path = useWorkspacePath();
  return (
    <QueryResult from={accounts}>
      {(all) => {
        const account = all.find((one) => one.id === id);
        if (!account) {
          const back = { to: path('/api-keys'), label: 'Back to API keys' };
          return <NotFound title="Service account not found" text="It may have been deleted." {...back} />;
        }
        return (
          <Page
            title={account.name}
            text={`Service account, created on ${longDate(account.createdAt)}`}
            back={{ to: '/api-keys', name: 'API keys' }}
            action={<ServiceAccountActions account={account} />}
          >
            {account.disabledAt && (
              <Alert severity="warning">
                Disabled on {longDate(account.disabledAt)}. Its keys are refused until it is enabled again.
              </Alert>
            )}
            <ServiceKeyList account={account} />
          </Page>
        );
      }}
    </QueryResult>
  );
}

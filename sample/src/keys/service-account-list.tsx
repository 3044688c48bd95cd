import { Chip, Link, Typography } from '@mui/material';
import { Link as RouterLink } from 'react-router';
import { longDate } from '../date-format';
import { Section } from '../layout/page';
import { ItemList } from '../list/item-list';
import { ListRow } from '../list/list-row';
import { QueryResult } from '../list/query-result';
import { useMemberNames } from '../tenant/member-names';
import { useWorkspacePath } from '../workspace-path';
import { type ServiceAccount, useServiceAccounts } from './key-queries';
import { NewServiceAccountButton } from './new-service-account-button';

const EMPTY =
  'No service accounts yet. Create one for each program that works with this workspace, such as an import or your ' +
  'continuous integration, and give it keys.';

/** The service accounts of the workspace. */
export function ServiceAccountList() {
  const accounts = useServiceAccounts();
  return (
    <Section
      title="Service accounts"
      text="For programs. Their keys keep working when the person who created them leaves."
      action={<NewServiceAccountButton />}
    >
      <QueryResult from={accounts}>
        {(all) =>
          all.length === 0 ? (
            <Typography color="textSecondary">{EMPTY}</Typography>
          ) : (
            <ItemList items={all}>{(account) => <ServiceAccountRow account={account} />}</ItemList>
          )
        }
      </QueryResult>
    </Section>
  );
}

function ServiceAccountRow({ account: { id, name, createdBy, createdAt, disabledAt } }: { account: ServiceAccount }) {
  const path = useWorkspacePath();
  const nameOf = useMemberNames();
  const by = createdBy ? nameOf(createdBy) : undefined;
  const title = (
    <>
      <Link component={RouterLink} to={path(`/api-keys/${id}`)}>
        {name}
      </Link>
      {disabledAt && <Chip size="small" variant="outlined" label="Disabled" />}
    </>
  );
  return <ListRow title={title} text={`Created on ${longDate(createdAt)}${by ? ` by ${by}` : ''}`} />;
}

import { List, ListItem } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { unwrap, type Schemas } from '@tenantry/client';
import { useNavigate } from 'react-router';
import { longDate } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { api, useImpersonationBlock } from '../session';
import { DeletionBlockersButton } from './deletion-blockers';

const TITLE = 'Delete account';
const TEXT = 'Deletes your account and your personal data after 14 days. Until then you can change your mind.';

/** Asks for the deletion of the account, or shows what prevents it. */
export function DeleteAccount() {
  const blocked = useImpersonationBlock();
  const deletion = useQuery({
    queryKey: ['deletion'],
    queryFn: async () => unwrap(await api.GET('/users/me/deletion')),
    enabled: !blocked,
  });
  if (blocked) return <Section title={TITLE} text={blocked} children={null} />;
  return (
    <QueryResult from={deletion}>
      {(meaning) => (
        <Section
          title={TITLE}
          text={meaning.deletesAt ? `Your account will be deleted on ${longDate(meaning.deletesAt)}.` : TEXT}
        >
          {!meaning.deletesAt &&
            (meaning.blockers.length > 0 ? (
              <DeletionBlockersButton label={TITLE} blockers={meaning.blockers} />
            ) : (
              <DeleteButton workspaces={meaning.deletedTenants} />
            ))}
        </Section>
      )}
    </QueryResult>
  );
}

function DeleteButton({ workspaces }: { workspaces: readonly Schemas['DeletedTenantView'][] }) {
  const navigate = useNavigate();
  return (
    <DialogButton
      button={TITLE}
      variant="outlined"
      title="Delete your account?"
      text={
        <>
          You’ll be signed out on all devices. After 14 days, your account and your personal data are deleted for good,
          and you leave the workspaces of others.
          {workspaces.length > 0 && ' These workspaces, which are yours alone, are deleted with all their data:'}
          <Names of={workspaces} />
        </>
      }
      submit="Delete account"
      isDanger
      send={() => api.POST('/users/me/deletion')}
      onDone={({ deletesAt }) => {
        void navigate('/deletion-planned', { state: { deletesAt }, replace: true });
      }}
    />
  );
}

const Names = ({ of: workspaces }: { of: readonly Schemas['DeletedTenantView'][] }) =>
  workspaces.length > 0 && (
    <List dense disablePadding component="span" sx={{ display: 'block' }}>
      {workspaces.map(({ tenantId, name }) => (
        <ListItem key={tenantId} component="span" disablePadding sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {name}
        </ListItem>
      ))}
    </List>
  );

import { Typography } from '@mui/material';
import { NameField } from '../form/field';
import { Form } from '../form/form';
import { Page, Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { QueryResult } from '../list/query-result';
import { useMe } from '../queries';
import { api, useImpersonationBlock } from '../session';
import { AccountTabs } from './account-tabs';

/** The user's own account. */
export default function AccountPage() {
  const me = useMe();
  const blocked = useImpersonationBlock();
  return (
    <Page title="Your account">
      <AccountTabs />
      <QueryResult from={me}>
        {({ user }) => (
          <Section title="Profile" text={`You sign in as ${user.email}.`}>
            {blocked ? <Typography color="textSecondary">{blocked}</Typography> : <ProfileForm name={user.name} />}
          </Section>
        )}
      </QueryResult>
    </Page>
  );
}

function ProfileForm({ name }: { name: string }) {
  const showToast = useToast();
  return (
    <Form
      submit="Save name"
      send={(values) => api.PATCH('/users/me', { body: { name: values.name ?? '' } })}
      onDone={() => showToast('Name saved.')}
    >
      <NameField defaultValue={name} />
    </Form>
  );
}

import { Typography } from '@mui/material';
import { NameField } from '../form/field';
import { Form } from '../form/form';
import { Page, Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { QueryResult } from '../list/query-result';
import { useMe, useSignInMethods } from '../queries';
import { api, useImpersonationBlock } from '../session';
import { ChangePassword, FirstPassword } from './password-forms';
import { SessionList } from './session-list';
import { SignInMethods } from './sign-in-methods';

/** The user's own account. */
export default function AccountPage() {
  const me = useMe();
  const blocked = useImpersonationBlock();
  return (
    <Page title="Your account">
      <QueryResult from={me}>
        {({ user }) => (
          <Section title="Profile" text={`You sign in as ${user.email}.`}>
            {blocked ? <Typography color="textSecondary">{blocked}</Typography> : <ProfileForm name={user.name} />}
          </Section>
        )}
      </QueryResult>
      {blocked ? (
        <Section title="Sign-in methods, password and sessions">
          <Typography color="textSecondary">{blocked}</Typography>
        </Section>
      ) : (
        <Security />
      )}
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

function Security() {
  const methods = useSignInMethods();
  return (
    <>
      <QueryResult from={methods}>
        {(found) => (
          <>
            <SignInMethods {...found} />
            {found.hasPassword ? <ChangePassword /> : <FirstPassword />}
          </>
        )}
      </QueryResult>
      <SessionList />
    </>
  );
}

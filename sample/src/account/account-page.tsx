import { Typography } from '@mui/material';
import { Field } from '../form/field';
import { Form } from '../form/form';
import { Page, Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { QueryResult } from '../list/query-result';
import { useMe, useSignInMethods } from '../queries';
import { api, useImpersonationBlock } from '../session';
import { SignInMethods } from './sign-in-methods';
import { FirstPassword, Password } from './password-forms';
import { SessionList } from './session-list';

/** One's own account. */
export default function AccountPage() {
  const me = useMe();
  const blocked = useImpersonationBlock();
  const methods = useSignInMethods();
  return (
    <Page title="Your account">
      <QueryResult from={me}>
        {({ user }) => (
          <Section title="Profile" text={`You sign in as ${user.email}.`}>
            {blocked ? <Typography color="textSecondary">{blocked}</Typography> : <Name name={user.name} />}
          </Section>
        )}
      </QueryResult>
      {blocked ? (
        <Section title="Sign-in methods, password and sessions">
          <Typography color="textSecondary">{blocked} They are this person’s own.</Typography>
        </Section>
      ) : (
        <>
          <QueryResult from={methods}>
            {(found) => (
              <>
                <SignInMethods {...found} />
                {found.hasPassword ? <Password /> : <FirstPassword />}
              </>
            )}
          </QueryResult>
          <SessionList />
        </>
      )}
    </Page>
  );
}

function Name({ name }: { name: string }) {
  const showToast = useToast();
  return (
    <Form
      submit="Save name"
      send={(typed) => api.PATCH('/users/me', { body: { name: typed.name ?? '' } })}
      onDone={() => showToast('Your name is saved.')}
    >
      <Field name="name" label="Your name" autoComplete="name" defaultValue={name} />
    </Form>
  );
}

import { Typography } from '@mui/material';
import { Field } from '../form/field';
import { Form } from '../form/form';
import { Page, Section } from '../frame/page';
import { useSay } from '../frame/snack';
import { Loaded } from '../list/loaded';
import { useMe, useMethods } from '../queries';
import { api, useActing } from '../session';
import { Methods } from './methods';
import { FirstPassword, Password } from './password';
import { Sessions } from './sessions';

/** One's own account. */
export default function Account() {
  const me = useMe();
  const acting = useActing();
  const methods = useMethods();
  return (
    <Page title="Your account">
      <Loaded from={me}>
        {({ user }) => (
          <Section title="Profile" text={`You sign in as ${user.email}.`}>
            {acting ? <Typography color="textSecondary">{acting}</Typography> : <Name name={user.name} />}
          </Section>
        )}
      </Loaded>
      {acting ? (
        <Section title="Sign-in methods, password and sessions">
          <Typography color="textSecondary">{acting} They are this person’s own.</Typography>
        </Section>
      ) : (
        <>
          <Loaded from={methods}>
            {(found) => (
              <>
                <Methods {...found} />
                {found.hasPassword ? <Password /> : <FirstPassword />}
              </>
            )}
          </Loaded>
          <Sessions />
        </>
      )}
    </Page>
  );
}

function Name({ name }: { name: string }) {
  const say = useSay();
  return (
    <Form
      submit="Save name"
      send={(typed) => api.PATCH('/users/me', { body: { name: typed.name ?? '' } })}
      onDone={() => say('Your name is saved.')}
    >
      <Field name="name" label="Your name" autoComplete="name" defaultValue={name} />
    </Form>
  );
}

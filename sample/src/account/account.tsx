import { Typography } from '@mui/material';
import { Field } from '../form/field';
import { Form } from '../form/form';
import { Page, Section } from '../frame/page';
import { useSay } from '../frame/snack';
import { Loaded } from '../list/loaded';
import { useMe } from '../queries';
import { api, useActing } from '../session';
import { Password } from './password';
import { Sessions } from './sessions';

/** One's own account. */
export default function Account() {
  const me = useMe();
  const acting = useActing();
  return (
    <Page title="Your account">
      <Loaded from={me}>
        {({ user }) => (
          <Section title="Profile" text={`You sign in as ${user.email}.`}>
            <Name name={user.name} />
          </Section>
        )}
      </Loaded>
      {acting ? (
        <Section title="Password and sessions">
          <Typography color="textSecondary">{acting} They are this person’s own.</Typography>
        </Section>
      ) : (
        <>
          <Password />
          <Sessions />
        </>
      )}
    </Page>
  );
}

function Name({ name }: { name: string }) {
  const say = useSay();
  return (
    <Form submit="Save name" send={(typed) => api.PATCH('/users/me', { body: { name: typed.name ?? '' } })} onDone={() => say('Your name is saved.')}>
      <Field name="name" label="Your name" autoComplete="name" defaultValue={name} />
    </Form>
  );
}

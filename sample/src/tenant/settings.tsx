import type { Answer } from '@tenantry/client';
import { Typography } from '@mui/material';
import { useNavigate } from 'react-router';
import { Ask } from '../form/ask';
import { Field } from '../form/field';
import { Form } from '../form/form';
import { Page, Section } from '../frame/page';
import { useSay } from '../frame/snack';
import { Loaded } from '../list/loaded';
import { useMe } from '../queries';
import { api, useActing, useClaims, useMay } from '../session';

/** The workspace itself: its name, and its end. */
export default function Settings() {
  const me = useMe();
  const isOwner = useClaims()?.role === 'Owner';
  return (
    <Page title="Settings">
      <Loaded from={me}>
        {({ tenant }) =>
          tenant && (
            <>
              <Section title="Workspace">
                <Name name={tenant.name} />
              </Section>
              {isOwner && <Deletion name={tenant.name} />}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Name({ name }: { name: string }) {
  const say = useSay();
  const mayManage = useMay()('tenant.settings.manage');
  if (!mayManage) return <Typography>{name}</Typography>;
  const rename = (typed = '') => api.PATCH('/tenants/current', { body: { name: typed } });
  return (
    <Form submit="Save name" send={(typed) => rename(typed.name)} onDone={() => say('The workspace has a new name.')}>
      <Field name="name" label="Workspace name" defaultValue={name} />
    </Form>
  );
}

const MISTYPED: Answer<null> = {
  ok: false,
  error: {
    code: 'VALIDATION_ERROR',
    message: '',
    details: { name: ['That is not its name'] },
    status: 0,
    requestId: null,
    retryAfter: null,
  },
};

function Deletion({ name }: { name: string }) {
  const navigate = useNavigate();
  const acting = useActing();
  // The next token is for another workspace, or for none.
  const leave = () => void api.session.renew().then(() => navigate('/'));
  return (
    <Section title="Delete workspace" text="With its members, roles, invitations and projects, at once and for good.">
      <Ask
        button="Delete workspace"
        variant="outlined"
        whyNot={acting}
        title={`Delete ${name}?`}
        text={`Everything in it is gone for good. To confirm, type its name: ${name}`}
        submit="Delete for good"
        isDanger
        send={async (typed) => (typed.name === name ? api.DELETE('/tenants/current') : MISTYPED)}
        onDone={leave}
      >
        <Field name="name" label="Name of the workspace" autoComplete="off" autoFocus />
      </Ask>
    </Section>
  );
}

import type { Answer } from '@tenantry/client';
import { Typography } from '@mui/material';
import { useNavigate } from 'react-router';
import { DialogButton } from '../form/form-dialog';
import { Field } from '../form/field';
import { Form } from '../form/form';
import { Page, Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { QueryResult } from '../list/query-result';
import { useMe } from '../queries';
import { api, useImpersonationBlock, useClaims, useHasPermission } from '../session';

/** The workspace itself: its name, and its end. */
export default function SettingsPage() {
  const me = useMe();
  const isOwner = useClaims()?.role === 'Owner';
  return (
    <Page title="Settings">
      <QueryResult from={me}>
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
      </QueryResult>
    </Page>
  );
}

function Name({ name }: { name: string }) {
  const showToast = useToast();
  const canManage = useHasPermission()('tenant.settings.manage');
  if (!canManage) return <Typography>{name}</Typography>;
  const rename = (typed = '') => api.PATCH('/tenants/current', { body: { name: typed } });
  return (
    <Form
      submit="Save name"
      send={(typed) => rename(typed.name)}
      onDone={() => showToast('The workspace has a new name.')}
    >
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
  const blocked = useImpersonationBlock();
  // The next token is for another workspace, or for none.
  const leave = () => void api.session.renew().then(() => navigate('/'));
  return (
    <Section title="Delete workspace" text="With its members, roles, invitations and projects, at once and for good.">
      <DialogButton
        button="Delete workspace"
        variant="outlined"
        disabledReason={blocked}
        title={`Delete ${name}?`}
        text={`Everything in it is gone for good. To confirm, type its name: ${name}`}
        submit="Delete for good"
        isDanger
        send={async (typed) => (typed.name === name ? api.DELETE('/tenants/current') : MISTYPED)}
        onDone={leave}
      >
        <Field name="name" label="Name of the workspace" autoComplete="off" autoFocus />
      </DialogButton>
    </Section>
  );
}

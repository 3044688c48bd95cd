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
import { SignInPolicy } from './sign-in-policy';

/** Renames and deletes the workspace, and sets its sign-in policy. */
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
                <WorkspaceName name={tenant.name} />
              </Section>
              <SignInPolicy />
              {isOwner && <DeleteWorkspace name={tenant.name} />}
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

function WorkspaceName({ name }: { name: string }) {
  const showToast = useToast();
  const canManage = useHasPermission()('tenant.settings.manage');
  if (!canManage) return <Typography>{name}</Typography>;
  const rename = (typed = '') => api.PATCH('/tenants/current', { body: { name: typed } });
  return (
    <Form submit="Save name" send={(typed) => rename(typed.name)} onDone={() => showToast('Name saved.')}>
      <Field name="name" label="Workspace name" emptyMessage="Enter a name." defaultValue={name} />
    </Form>
  );
}

/** The same form as an error of the API: the form shows it at the field. */
const MISTYPED: Answer<null> = {
  ok: false,
  error: {
    code: 'VALIDATION_ERROR',
    message: '',
    details: { name: ['The name doesn’t match'] },
    status: 0,
    requestId: null,
    retryAfter: null,
  },
};

function DeleteWorkspace({ name }: { name: string }) {
  const navigate = useNavigate();
  const blocked = useImpersonationBlock();
  const showToast = useToast();
  const leave = async () => {
    await api.session.renew(); // the new token is for another workspace, or for none
    showToast(`Workspace “${name}” deleted.`);
    await navigate('/');
  };
  return (
    <Section
      title="Delete workspace"
      text="Deletes the workspace with all its members, roles, invitations and projects. This can’t be undone."
    >
      <DialogButton
        button="Delete workspace"
        variant="outlined"
        disabledReason={blocked}
        title={`Delete ${name}?`}
        text={
          <>
            This can’t be undone. To confirm, enter the name of the workspace: <strong>{name}</strong>
          </>
        }
        submit="Delete permanently"
        isDanger
        send={async (typed) => (typed.name === name ? api.DELETE('/tenants/current') : MISTYPED)}
        onDone={() => {
          void leave();
        }}
      >
        <Field
          name="name"
          label="Workspace name"
          autoComplete="off"
          emptyMessage="Enter the name of the workspace."
          autoFocus
        />
      </DialogButton>
    </Section>
  );
}

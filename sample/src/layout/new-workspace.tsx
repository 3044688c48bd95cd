import { Button } from '@mui/material';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Field } from '../form/field';
import { FormDialog } from '../form/form-dialog';
import { api } from '../session';
import { workspacePath } from '../workspace-path';
import { Page, Section } from './page';
import { useToast } from './toasts';

/** Creates a workspace and opens it. */
export function NewWorkspaceDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const navigate = useNavigate();
  const showToast = useToast();
  return (
    <FormDialog
      {...{ isOpen, close }}
      title="New workspace"
      text="A workspace has its own members, roles, projects and plan. You’ll be its owner."
      submit="Create workspace"
      send={({ name = '' }) => api.POST('/tenants', { body: { name } })}
      onDone={({ id, name }) => {
        showToast(`Workspace “${name}” created.`);
        void navigate(workspacePath(id));
      }}
    >
      <Field name="name" label="Workspace name" emptyMessage="Enter a name." autoFocus />
    </FormDialog>
  );
}

/** Shown to users without a workspace. */
export function NoWorkspace() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Page title="You’re not in a workspace yet">
      <Section
        text={
          'Create your own, or ask a teammate for an invitation. ' + 'You join with the link in the invitation email.'
        }
      >
        <Button variant="contained" onClick={() => setOpen(true)}>
          New workspace
        </Button>
        <NewWorkspaceDialog isOpen={isOpen} close={() => setOpen(false)} />
      </Section>
    </Page>
  );
}

import { useState } from 'react';
import { Button } from '@mui/material';
import { Field } from '../form/field';
import { FormDialog } from '../form/form-dialog';
import { api } from '../session';
import { Page, Section } from './page';

/** Makes a workspace, and makes it the active one. */
export function NewWorkspaceDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const found = async (name = '') => {
    const made = await api.POST('/tenants', { body: { name } });
    return made.ok ? api.POST('/auth/switch-tenant', { body: { tenantId: made.data.id } }) : made;
  };
  return (
    <FormDialog
      {...{ isOpen, close }}
      title="New workspace"
      text="It has members, roles, projects and a plan of its own. You will be its owner."
      submit="Create workspace"
      send={({ name }) => found(name)}
    >
      <Field name="name" label="Workspace name" autoFocus />
    </FormDialog>
  );
}

/** For who is in no workspace, or has left the last one. */
export function NoWorkspace() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Page title="You are in no workspace">
      <Section text="Create one of your own, or ask somebody for an invitation: its mail has a link that brings you in.">
        <Button variant="contained" onClick={() => setOpen(true)}>
          New workspace
        </Button>
        <NewWorkspaceDialog isOpen={isOpen} close={() => setOpen(false)} />
      </Section>
    </Page>
  );
}

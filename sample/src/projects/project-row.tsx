import { Button, Chip } from '@mui/material';
import { type Schemas, unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { DialogButton } from '../form/form-dialog';
import { Field } from '../form/field';
import { ListRow } from '../list/list-row';
import { api, useImpersonationBlock } from '../session';
import { longDate } from '../date-format';

/** A project with its actions. */
export function ProjectRow({ project, canManage }: { project: Schemas['ProjectView']; canManage: boolean }) {
  const params = { path: { id: project.id } };
  const blocked = useImpersonationBlock();
  const archiving = useMutation({
    mutationFn: async (archived: boolean) =>
      unwrap(await api.PATCH('/tenants/current/projects/{id}', { params, body: { archived } })),
  });
  const title = (
    <>
      {project.name} {project.archived && <Chip size="small" label="Archived" />}
    </>
  );
  const archive = project.archived ? 'Restore' : 'Archive';
  const actions = (
    <>
      <DialogButton
        button="Rename"
        about={project.name}
        title="Rename project"
        submit="Save"
        send={({ name = '' }) => api.PATCH('/tenants/current/projects/{id}', { params, body: { name } })}
      >
        <Field name="name" label="Project name" emptyMessage="Enter a name." defaultValue={project.name} autoFocus />
      </DialogButton>
      <Button
        size="small"
        color="inherit"
        aria-label={`${archive} ${project.name}`}
        loading={archiving.isPending}
        onClick={() => archiving.mutate(!project.archived)}
      >
        {archive}
      </Button>
      <DialogButton
        button="Delete"
        about={project.name}
        disabledReason={blocked}
        title={`Delete ${project.name}?`}
        text="This can’t be undone. To hide the project instead, archive it."
        submit="Delete"
        isDanger
        send={() => api.DELETE('/tenants/current/projects/{id}', { params })}
      />
    </>
  );
  return (
    <ListRow title={title} text={`Created on ${longDate(project.createdAt)}`}>
      {canManage && actions}
    </ListRow>
  );
}

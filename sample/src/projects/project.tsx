import { Button, Chip } from '@mui/material';
import { type Schemas, unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { Ask } from '../form/ask';
import { Field } from '../form/field';
import { Row } from '../list/row';
import { api, useActing } from '../session';
import { day } from '../times';

/** A project, and what can be done with it. */
export function ProjectRow({ project, mayManage }: { project: Schemas['ProjectView']; mayManage: boolean }) {
  const params = { path: { id: project.id } };
  const acting = useActing();
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
      <Ask
        button="Rename"
        about={project.name}
        title="Rename project"
        submit="Save"
        send={({ name = '' }) => api.PATCH('/tenants/current/projects/{id}', { params, body: { name } })}
      >
        <Field name="name" label="Project name" defaultValue={project.name} autoFocus />
      </Ask>
      <Button
        size="small"
        color="inherit"
        aria-label={`${archive} ${project.name}`}
        loading={archiving.isPending}
        onClick={() => archiving.mutate(!project.archived)}
      >
        {archive}
      </Button>
      <Ask
        button="Delete"
        about={project.name}
        whyNot={acting}
        title={`Delete ${project.name}?`}
        text="It is gone for good. To keep it out of the way, archive it instead."
        submit="Delete"
        isDanger
        send={() => api.DELETE('/tenants/current/projects/{id}', { params })}
      />
    </>
  );
  return (
    <Row title={title} text={`Created on ${day(project.createdAt)}`}>
      {mayManage && actions}
    </Row>
  );
}

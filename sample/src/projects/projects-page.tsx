import { Field } from '../form/field';
import { DialogButton } from '../form/form-dialog';
import { Page, Section } from '../layout/page';
import { PagedList } from '../list/paged-list';
import { usePagedQuery } from '../queries';
import { api, useHasPermission } from '../session';
import { ProjectRow } from './project-row';
import { Upgrade } from './upgrade-prompt';

/** The projects of the workspace: the part that a product of your own puts in place of this one. */
export default function ProjectsPage() {
  const canManage = useHasPermission()('tenant.projects.manage');
  const pages = usePagedQuery('projects', (query) => api.GET('/tenants/current/projects', { params: { query } }));
  const create = (
    <DialogButton
      button="New project"
      variant="contained"
      title="New project"
      submit="Create project"
      send={({ name = '' }) => api.POST('/tenants/current/projects', { body: { name } })}
      errorAction={(code) => code === 'PLAN_REQUIRED' && <Upgrade />}
    >
      <Field name="name" label="Project name" autoFocus />
    </DialogButton>
  );
  return (
    <Page title="Projects" text="What you and your team work on." action={canManage && create}>
      <Section>
        <PagedList pages={pages} empty={canManage ? 'No projects yet. Create the first one.' : 'No projects yet.'}>
          {(project) => <ProjectRow project={project} canManage={canManage} />}
        </PagedList>
      </Section>
    </Page>
  );
}

import { isReached, useEntitlement } from '../billing/entitlements';
import { LimitDialogButton } from '../billing/limit-dialog';
import { upgradeAction } from '../billing/upgrade-prompt';
import { LimitNotice } from '../billing/usage';
import { Field } from '../form/field';
import { DialogButton } from '../form/form-dialog';
import { Page, Section } from '../layout/page';
import { PagedList } from '../list/paged-list';
import { usePagedQuery } from '../queries';
import { api, useHasPermission } from '../session';
import { ProjectRow } from './project-row';

/** The projects of the workspace: an example feature, to be replaced by your product. */
export default function ProjectsPage() {
  const canManage = useHasPermission()('tenant.projects.manage');
  const pages = usePagedQuery('projects', (query) => api.GET('/tenants/current/projects', { params: { query } }));
  const limit = useEntitlement('projects');
  const isFull = limit !== undefined && isReached(limit);
  const create = isFull ? (
    <LimitDialogButton button="New project" entitlement={limit} noun="projects" hint={COUNTED} />
  ) : (
    <DialogButton
      button="New project"
      variant="contained"
      title="New project"
      submit="Create project"
      send={({ name = '' }) => api.POST('/tenants/current/projects', { body: { name } })}
      errorAction={upgradeAction}
    >
      <Field name="name" label="Project name" emptyMessage="Enter a name." autoFocus />
    </DialogButton>
  );
  return (
    <Page title="Projects" text="Everything your team is working on." action={canManage && create}>
      <LimitNotice name="projects" />
      <Section>
        <PagedList pages={pages} empty={canManage ? 'No projects yet. Create your first one.' : 'No projects yet.'}>
          {(project) => <ProjectRow project={project} canManage={canManage} />}
        </PagedList>
      </Section>
    </Page>
  );
}

/** Archived projects take a place of the limit. */
const COUNTED = 'Deleting a project frees a place. Archived projects count, too.';

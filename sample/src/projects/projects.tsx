import { Field } from '../form/field';
import { Ask } from '../form/ask';
import { Page, Section } from '../frame/page';
import { Listing } from '../list/listing';
import { usePages } from '../queries';
import { api, useMay } from '../session';
import { ProjectRow } from './project';
import { Upgrade } from './upgrade';

/** The projects of the workspace: the part that a product of your own puts in place of this one. */
export default function Projects() {
  const mayManage = useMay()('tenant.projects.manage');
  const pages = usePages('projects', (query) => api.GET('/tenants/current/projects', { params: { query } }));
  const create = (
    <Ask
      button="New project"
      variant="contained"
      title="New project"
      submit="Create project"
      send={({ name = '' }) => api.POST('/tenants/current/projects', { body: { name } })}
      wayOn={(code) => code === 'PLAN_REQUIRED' && <Upgrade />}
    >
      <Field name="name" label="Project name" autoFocus />
    </Ask>
  );
  return (
    <Page title="Projects" text="What you and your team work on." action={mayManage && create}>
      <Section>
        <Listing pages={pages} empty={mayManage ? 'No projects yet. Create the first one.' : 'No projects yet.'}>
          {(project) => <ProjectRow project={project} mayManage={mayManage} />}
        </Listing>
      </Section>
    </Page>
  );
}

import { Chip } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { DialogButton } from '../form/form-dialog';
import { Section } from '../layout/page';
import { PagedList } from '../list/paged-list';
import { ListRow } from '../list/list-row';
import { usePagedQuery } from '../queries';
import { api } from '../session';
import { moment } from '../date-format';

/** Where one is signed in. */
export function SessionList() {
  const pages = usePagedQuery('sessions', (query) => api.GET('/auth/sessions', { params: { query } }));
  const endOthers = (
    <DialogButton
      button="End all others"
      title="End all other sessions?"
      text="Only this one goes on."
      submit="End them"
      isDanger
      send={() => api.DELETE('/auth/sessions')}
    />
  );
  return (
    <Section
      title="Sessions"
      text="Where you are signed in. If you do not know one of them, end it and change your password."
      action={endOthers}
    >
      <PagedList pages={pages} empty="None.">
        {(session) => <SessionRow session={session} />}
      </PagedList>
    </Section>
  );
}

function SessionRow({ session: { id, userAgent, ip, lastUsedAt, current } }: { session: Schemas['SessionView'] }) {
  const name = deviceOf(userAgent ?? '');
  const title = (
    <>
      {name} {current && <Chip size="small" color="success" variant="outlined" label="This one" />}
    </>
  );
  return (
    <ListRow title={title} text={[ip, `last used ${moment(lastUsedAt)}`].filter(Boolean).join(' · ')}>
      {!current && (
        <DialogButton
          button="End"
          about={`session ${name}`}
          title={`End the session on ${name}?`}
          submit="End session"
          isDanger
          send={() => api.DELETE('/auth/sessions/{id}', { params: { path: { id } } })}
        />
      )}
    </ListRow>
  );
}

/** What browsers call themselves, those that also call themselves like another one before it. */
const BROWSERS = ['Edg', 'Firefox', 'Chrome', 'Safari'];
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'];

/** "Firefox on Linux"; good enough to know one's own. */
function deviceOf(userAgent: string): string {
  const browser = BROWSERS.find((name) => userAgent.includes(name))?.replace('Edg', 'Edge') ?? 'Another program';
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  return system ? `${browser} on ${system}` : browser;
}

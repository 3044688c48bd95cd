import { Chip } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { timeAgo } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { Section } from '../layout/page';
import { ListRow } from '../list/list-row';
import { PagedList } from '../list/paged-list';
import { usePagedQuery } from '../queries';
import { api } from '../session';
import { deviceName } from './device-name';

/** The devices that the user is signed in on. */
export function SessionList() {
  const pages = usePagedQuery('sessions', (query) => api.GET('/auth/sessions', { params: { query } }));
  const hasOthers = pages.data?.pages.some(({ items }) => items.some(({ current }) => !current)) ?? false;
  const signOutOthers = (
    <DialogButton
      button="Sign out other devices"
      disabledReason={hasOthers ? undefined : 'You’re not signed in on any other device.'}
      title="Sign out other devices?"
      text="You’ll stay signed in here."
      submit="Sign out"
      isDanger
      send={() => api.DELETE('/auth/sessions')}
    />
  );
  return (
    <Section
      title="Sessions"
      text="Devices you’re signed in on. Don’t recognize one? Sign it out and change your password."
      action={signOutOthers}
    >
      <PagedList pages={pages} empty="No sessions.">
        {(session) => <SessionRow session={session} />}
      </PagedList>
    </Section>
  );
}

function SessionRow({ session: { id, userAgent, ip, lastUsedAt, current } }: { session: Schemas['SessionView'] }) {
  const name = deviceName(userAgent);
  const title = (
    <>
      {name} {current && <Chip size="small" color="success" variant="outlined" label="This device" />}
    </>
  );
  return (
    <ListRow title={title} text={[ip, `last active ${timeAgo(lastUsedAt)}`].filter(Boolean).join(' · ')}>
      {!current && (
        <DialogButton
          button="Sign out"
          about={name}
          title={`Sign out ${name}?`}
          submit="Sign out"
          isDanger
          send={() => api.DELETE('/auth/sessions/{id}', { params: { path: { id } } })}
        />
      )}
    </ListRow>
  );
}

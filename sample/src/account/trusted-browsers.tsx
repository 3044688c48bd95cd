import { Chip } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { mediumDate } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { Section } from '../layout/page';
import { ListRow } from '../list/list-row';
import { PagedList } from '../list/paged-list';
import { usePagedQuery } from '../queries';
import { api } from '../session';
import { deviceName } from './device-name';

/** The browsers in which the user signs in without a code. */
export function TrustedBrowsers() {
  const pages = usePagedQuery('trusted-browsers', (query) => api.GET('/auth/trusted-browsers', { params: { query } }));
  const isEmpty = pages.data?.pages[0].items.length === 0;
  const removeAll = (
    <DialogButton
      button="Remove all"
      about="trusted browsers"
      title="Remove all trusted browsers?"
      text="The next sign-in in each of them needs a code. You stay signed in."
      submit="Remove all"
      isDanger
      send={() => api.DELETE('/auth/trusted-browsers')}
    />
  );
  return (
    <Section
      title="Trusted browsers"
      text="You sign in without a code in these browsers. Remove those that you don’t use any more."
      action={!isEmpty && removeAll}
    >
      <PagedList pages={pages} empty="None. When you sign in with a code, you can choose to trust the browser.">
        {(browser) => <TrustedBrowserRow browser={browser} />}
      </PagedList>
    </Section>
  );
}

function TrustedBrowserRow({ browser }: { browser: Schemas['TrustedBrowserView'] }) {
  const { id, userAgent, ip, expiresAt, current } = browser;
  const name = deviceName(userAgent);
  const title = (
    <>
      {name} {current && <Chip size="small" color="success" variant="outlined" label="Current" />}
    </>
  );
  return (
    <ListRow title={title} text={[ip, `trusted until ${mediumDate(expiresAt)}`].filter(Boolean).join(' · ')}>
      <DialogButton
        button="Remove"
        about={name}
        title={`Remove ${name}?`}
        text="The next sign-in in this browser needs a code."
        submit="Remove"
        isDanger
        send={() => api.DELETE('/auth/trusted-browsers/{id}', { params: { path: { id } } })}
      />
    </ListRow>
  );
}

import Fingerprint from '@mui/icons-material/Fingerprint';
import { Chip } from '@mui/material';
import { hasPasskeys, removePasskey, type Schemas } from '@tenantry/client';
import { longDate, timeAgo } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { ListRow } from '../list/list-row';
import { PagedList } from '../list/paged-list';
import { usePagedQuery } from '../queries';
import { api } from '../session';
import { AddPasskeyButton } from './add-passkey-button';
import { PasskeyNameField } from './passkey-name-field';

/** The passkeys of the user. */
export function PasskeyList() {
  const pages = usePagedQuery('passkeys', (query) => api.GET('/auth/passkeys', { params: { query } }));
  const empty = hasPasskeys() ? 'None yet.' : 'None. This browser can’t use passkeys.';
  return (
    <Section
      title="Passkeys"
      text="Sign in with your fingerprint, face or screen lock, in place of a password and a code."
      action={hasPasskeys() && <AddPasskeyButton />}
    >
      <PagedList pages={pages} empty={empty}>
        {(passkey) => <PasskeyRow passkey={passkey} />}
      </PagedList>
    </Section>
  );
}

function PasskeyRow({ passkey: { id, name, isBackedUp, createdAt, lastUsedAt } }: { passkey: Schemas['PasskeyView'] }) {
  const showToast = useToast();
  const title = (
    <>
      {name} <Chip size="small" variant="outlined" label={isBackedUp ? 'Synced' : 'One device'} />
    </>
  );
  const used = lastUsedAt ? `last used ${timeAgo(lastUsedAt)}` : 'not used yet';
  return (
    <ListRow picture={<Fingerprint />} title={title} text={`Added on ${longDate(createdAt)} · ${used}`}>
      <DialogButton
        button="Rename"
        about={name}
        title="Rename the passkey"
        submit="Save"
        send={(values) =>
          api.PATCH('/auth/passkeys/{id}', { params: { path: { id } }, body: { name: values.name ?? '' } })
        }
        onDone={() => showToast('Passkey renamed.')}
      >
        <PasskeyNameField name={name} />
      </DialogButton>
      <DialogButton
        button="Remove"
        about={name}
        title={`Remove ${name}?`}
        text="You can no longer sign in with it. You stay signed in on all devices."
        submit="Remove"
        isDanger
        send={() => removePasskey(api, id)}
        onDone={() => showToast('Passkey removed.')}
      />
    </ListRow>
  );
}

import GitHub from '@mui/icons-material/GitHub';
import Google from '@mui/icons-material/Google';
import Key from '@mui/icons-material/KeyOutlined';
import { Divider, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { longDate } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { ListRow } from '../list/list-row';
import { api } from '../session';
import { PasswordButton } from './password-button';

type Method = Schemas['ProviderView'];

const NAMES: Record<Method['provider'], string> = { google: 'Google', github: 'GitHub' };
const PICTURES: Record<Method['provider'], React.ReactNode> = { google: <Google />, github: <GitHub /> };

/** The ways to sign in, besides passkeys and emailed links. */
export function SignInMethods({ hasPassword, providers }: Schemas['SignInMethodsView']) {
  const shown = providers.filter(({ isConfigured, linkedAt }) => isConfigured || linkedAt);
  return (
    <Stack divider={<Divider />} sx={{ my: -1.5 }}>
      <ListRow picture={<Key />} title="Password" text={hasPassword ? 'Set' : 'Not set'}>
        <PasswordButton hasPassword={hasPassword} />
      </ListRow>
      {shown.map((method) => (
        <ProviderRow key={method.provider} method={method} />
      ))}
    </Stack>
  );
}

function ProviderRow({ method: { provider, linkedAt } }: { method: Method }) {
  const name = NAMES[provider];
  const text = linkedAt
    ? `Linked on ${longDate(linkedAt)}`
    : `Not linked. To link it, sign in with ${name} using the same email address.`;
  return (
    <ListRow picture={PICTURES[provider]} title={name} text={text}>
      {linkedAt && (
        <DialogButton
          button="Unlink"
          about={name}
          title={`Unlink ${name}?`}
          text={
            `You can no longer sign in with ${name}. ` +
            'If you don’t know who linked it, also change your password and sign out other devices.'
          }
          submit="Unlink"
          isDanger
          send={() => api.DELETE('/auth/providers/{provider}', { params: { path: { provider } } })}
        />
      )}
    </ListRow>
  );
}

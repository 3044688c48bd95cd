import GitHub from '@mui/icons-material/GitHub';
import Google from '@mui/icons-material/Google';
import { Typography } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { DialogButton } from '../form/form-dialog';
import { Section } from '../layout/page';
import { ListRow } from '../list/list-row';
import { api } from '../session';
import { day } from '../date-format';

type Method = Schemas['ProviderView'];

const NAMES: Record<Method['provider'], string> = { google: 'Google', github: 'GitHub' };
const PICTURES: Record<Method['provider'], React.ReactNode> = { google: <Google />, github: <GitHub /> };

/** The ways to sign in, besides a mailed link, which is always there. */
export function SignInMethods({ hasPassword, providers }: Schemas['SignInMethodsView']) {
  const shown = providers.filter(({ isConfigured, linkedAt }) => isConfigured || linkedAt);
  return (
    <Section title="Sign-in methods" text="You can sign in with these, and always with a link that we email to you.">
      <ListRow title="Password" text={hasPassword ? 'Set' : 'You have none. You can set one below.'} />
      {shown.map((method) => (
        <ProviderRow key={method.provider} method={method} />
      ))}
      {shown.length === 0 && <Typography color="textSecondary">No provider is set up here.</Typography>}
    </Section>
  );
}

function ProviderRow({ method: { provider, linkedAt } }: { method: Method }) {
  const name = NAMES[provider];
  const text = linkedAt
    ? `Linked since ${day(linkedAt)}`
    : `Not linked. Sign in with ${name} once, with the same email address, to link it.`;
  return (
    <ListRow picture={PICTURES[provider]} title={name} text={text}>
      {linkedAt && (
        <DialogButton
          button="Unlink"
          about={name}
          title={`Unlink ${name}?`}
          text={`Your ${name} account no longer signs you in. If you do not know who linked it, also change your password and end your other sessions.`}
          submit="Unlink"
          isDanger
          send={() => api.DELETE('/auth/providers/{provider}', { params: { path: { provider } } })}
        />
      )}
    </ListRow>
  );
}

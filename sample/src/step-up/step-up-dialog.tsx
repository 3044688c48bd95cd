import { Button, Dialog, DialogContent, DialogContentText, DialogTitle, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { hasPasskeys, unwrap, type Schemas } from '@tenantry/client';
import { useId, useState, type ReactNode } from 'react';
import { QueryResult } from '../list/query-result';
import { api } from '../session';
import { EmailCodeForm } from './email-code-form';
import { FactorForm } from './factor-form';
import { OtherWayButton } from './other-way-button';
import { PasskeyForm } from './passkey-form';
import { PasswordForm } from './password-form';

type Method = Schemas['StepUpMethodsView']['methods'][number];

/** What the forms of the dialog have in common. */
export interface StepUpFormProps {
  readonly onDone: () => void;
  readonly onCancel: () => void;
  /** A button that chooses another way, if there is one. */
  readonly otherWay?: ReactNode;
}

/** Asks for a proof of the identity before something that cannot be undone or that gives access. */
export default function StepUpDialog({ answer }: { answer: (isConfirmed: boolean) => void }) {
  const titleId = useId();
  const methods = useQuery({
    queryKey: ['step-up'],
    queryFn: async () => unwrap(await api.GET('/auth/step-up')).methods,
    gcTime: 0, // the methods change with the second factor and the password
    meta: { isOnce: true },
  });
  const form = { onDone: () => answer(true), onCancel: () => answer(false) };
  return (
    <Dialog open onClose={form.onCancel} fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Confirm that it is you</DialogTitle>
      <DialogContent>
        <Stack spacing={2.5}>
          <DialogContentText>
            To protect your account, we ask before sensitive changes. You won’t be asked again for 10 minutes.
          </DialogContentText>
          <QueryResult from={methods}>{(found) => <ProofForm {...form} methods={found} />}</QueryResult>
          {!methods.data && (
            <Button color="inherit" sx={{ alignSelf: 'flex-end' }} onClick={form.onCancel}>
              Cancel
            </Button>
          )}
        </Stack>
      </DialogContent>
    </Dialog>
  );
}

/** The form of the strongest method, which is a passkey if the browser can use it. */
function ProofForm({ methods, ...form }: StepUpFormProps & { readonly methods: readonly Method[] }) {
  const hasPasskey = methods.includes('passkey') && hasPasskeys();
  const [usesPasskey, setUsesPasskey] = useState(hasPasskey);
  const otherWay = hasPasskey && methods.length > 1 && (
    <OtherWayButton onClick={() => setUsesPasskey(!usesPasskey)}>
      {usesPasskey ? 'Use another way' : 'Use your passkey'}
    </OtherWayButton>
  );
  const props = { ...form, otherWay };
  if (usesPasskey) return <PasskeyForm {...props} />;
  if (methods.includes('totp') || methods.includes('recovery-code')) return <FactorForm {...props} methods={methods} />;
  return methods.includes('password') ? <PasswordForm {...props} /> : <EmailCodeForm {...props} />;
}

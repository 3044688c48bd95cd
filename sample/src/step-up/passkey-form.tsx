import { DialogContentText } from '@mui/material';
import { confirmWithPasskey } from '@tenantry/client';
import { Form } from '../form/form';
import { api } from '../session';
import type { StepUpFormProps } from './step-up-dialog';

/** Confirms the identity with a passkey. */
export const PasskeyForm = ({ otherWay, ...form }: StepUpFormProps) => (
  <Form {...form} submit="Use passkey" send={() => confirmWithPasskey(api)}>
    <DialogContentText>Use your fingerprint, face, screen lock or security key.</DialogContentText>
    {otherWay}
  </Form>
);

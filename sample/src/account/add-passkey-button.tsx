import { addPasskey } from '@tenantry/client';
import { DialogButton } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { api } from '../session';
import { deviceName } from './device-name';
import { PasskeyNameField } from './passkey-name-field';

/** Asks for a name, then has the browser create a passkey. */
export function AddPasskeyButton() {
  const showToast = useToast();
  return (
    <DialogButton
      button="Add passkey"
      variant="contained"
      title="Add a passkey"
      text="Your browser will ask where to save it: on this device, in your password manager or on a security key."
      submit="Continue"
      send={({ name = '' }) => addPasskey(api, name)}
      onDone={() => showToast('Passkey added. You can now sign in with it.')}
    >
      <PasskeyNameField name={deviceName(navigator.userAgent)} helperText="So that you recognize it later" />
    </DialogButton>
  );
}

import Smartphone from '@mui/icons-material/SmartphoneOutlined';
import List from '@mui/icons-material/ListAltOutlined';
import { Chip, Divider, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { longDate } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { ListRow } from '../list/list-row';
import { api } from '../session';
import { AuthenticatorSetupButton } from './authenticator-setup-button';
import { NewRecoveryCodes } from './new-recovery-codes';

/** From this number of unused recovery codes on, the page recommends new ones. */
const FEW = 3;

/** The authenticator app and the recovery codes. */
export function SecondFactor({ totp, recoveryCodesLeft }: Schemas['FactorsView']) {
  const showToast = useToast();
  const [newCodes, setNewCodes] = useState<readonly string[]>();
  const showCodes = ({ recoveryCodes }: Schemas['RecoveryCodesView']) => setNewCodes(recoveryCodes);
  const state = (
    <Chip size="small" variant="outlined" color={totp ? 'success' : 'default'} label={totp ? 'On' : 'Off'} />
  );
  return (
    <>
      <Stack divider={<Divider />} sx={{ my: -1.5 }}>
        <ListRow
          picture={<Smartphone />}
          title={<>Authenticator app {state}</>}
          text={
            totp ? `Added on ${longDate(totp.createdAt)}` : 'An app on your phone shows a new code every 30 seconds.'
          }
        >
          {totp ? (
            <DialogButton
              button="Remove"
              about="authenticator app"
              title="Remove the authenticator app?"
              text={
                'Signing in will no longer need a code, and your recovery codes stop working. ' +
                'You’ll be signed out on all other devices.'
              }
              submit="Remove"
              isDanger
              send={() => api.DELETE('/auth/factors/totp')}
              onDone={() => showToast('Authenticator app removed.')}
            />
          ) : (
            <AuthenticatorSetupButton onDone={showCodes} />
          )}
        </ListRow>
        {totp && (
          <ListRow picture={<List />} title="Recovery codes" text={leftText(recoveryCodesLeft)}>
            <DialogButton
              button="Create new codes"
              title="Create new recovery codes?"
              text="The codes that you have now stop working."
              submit="Create codes"
              send={() => api.POST('/auth/factors/recovery-codes')}
              onDone={showCodes}
            />
          </ListRow>
        )}
      </Stack>
      {newCodes && <NewRecoveryCodes codes={newCodes} onSaved={() => setNewCodes(undefined)} />}
    </>
  );
}

function leftText(left: number): string {
  if (left > FEW) return `${left} unused. Each one signs you in once if you lose your phone.`;
  return `${left === 0 ? 'None' : `Only ${left}`} left. Create new ones, in case you lose your phone.`;
}

import { Button, Dialog } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';
import { ImpersonationForm } from './impersonation-form';

/** A button that leads to acting as this person. */
export const ImpersonateButton = ({ user }: { user: Schemas['AdminUserDetailView'] }) => {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button
        variant="outlined"
        disabled={user.isAdmin || user.disabledAt !== null || user.id === api.session.claims()?.sub}
        onClick={() => setIsOpen(true)}
      >
        Impersonate
      </Button>
      <Dialog open={isOpen} onClose={close} aria-labelledby="question" maxWidth="xs" fullWidth>
        <ImpersonationForm user={user} close={close} />
      </Dialog>
    </>
  );
};

import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { ListRow } from '../list/list-row';
import { workspacePath } from '../workspace-path';

type Blocker = Schemas['DeletionBlockerView'];

/** What to do about a workspace, and where. */
const STEPS: Record<Blocker['reason'], { text: string; page: string; label: string }> = {
  members: {
    text: 'It has other members. Transfer the ownership, or delete the workspace.',
    page: '/members',
    label: 'Members',
  },
  subscription: {
    text: 'It has a subscription. Cancel it, and wait until it has ended.',
    page: '/billing',
    label: 'Billing',
  },
};

/** The button that would delete the account: shows what must be done first, with links. */
export function DeletionBlockersButton({ label, blockers }: { label: string; blockers: readonly Blocker[] }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button variant="outlined" color="error" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} fullWidth maxWidth="xs" aria-labelledby={id}>
        <DialogTitle id={id}>Your account can’t be deleted yet</DialogTitle>
        <DialogContent>
          <DialogContentText>You own workspaces that need a decision first:</DialogContentText>
          {blockers.map(({ tenantId, name, reason }) => {
            const { text, page, label: target } = STEPS[reason];
            return (
              <ListRow key={tenantId} title={name} text={text}>
                <Button
                  component={Link}
                  to={workspacePath(tenantId, page)}
                  variant="outlined"
                  color="inherit"
                  size="small"
                  aria-label={`${target} of ${name}`}
                >
                  {target}
                </Button>
              </ListRow>
            );
          })}
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={() => setOpen(false)}>
            Close
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

import { Avatar, Divider, IconButton, ListItemText, Menu, MenuItem } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMe } from '../queries';
import { signOut, stopImpersonating, useClaims } from '../session';
import { useWorkspacePath } from '../workspace-path';

/** The signed-in user, the link to their account, and sign-out. */
export function AccountMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const claims = useClaims();
  const path = useWorkspacePath();
  const pictureUrl = useMe().data?.user.pictureUrl;
  const signingOut = useMutation({
    mutationFn: async () => unwrap(await signOut()),
    onSuccess: () => navigate('/'), // the next user does not start on this user's page
  });
  const close = () => setAnchor(null);
  const openAccount = () => {
    close();
    void navigate(path('/account'));
  };
  const leave = () => {
    close();
    if (claims?.impersonator_id) stopImpersonating();
    else signingOut.mutate();
  };
  return (
    <>
      <IconButton
        edge="end"
        aria-label="Account"
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Avatar src={pictureUrl ?? undefined} alt="" sx={{ width: 32, height: 32, fontSize: 15 }}>
          {claims?.name.charAt(0).toUpperCase()}
        </Avatar>
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close} slotProps={{ paper: { sx: { minWidth: 220 } } }}>
        <MenuItem onClick={openAccount}>
          <ListItemText primary="Your account" secondary={claims?.email} />
        </MenuItem>
        <Divider />
        <MenuItem onClick={leave}>{claims?.impersonator_id ? 'Stop impersonating' : 'Sign out'}</MenuItem>
      </Menu>
    </>
  );
}

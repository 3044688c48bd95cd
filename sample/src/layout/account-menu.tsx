import { Avatar, Divider, IconButton, ListItemText, Menu, MenuItem } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMe } from '../queries';
import { api, useImpersonationBlock } from '../session';

/** Who is signed in, the way to their account, and the way out. */
export function AccountMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const blocked = useImpersonationBlock();
  const me = useMe().data;
  const close = () => setAnchor(null);
  const leaving = useMutation({
    mutationFn: async () => unwrap(await api.logOut()),
    onSuccess: () => navigate('/'), // whoever comes next does not begin where this one was
  });
  return (
    <>
      <IconButton
        edge="end"
        aria-label="Account"
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Avatar
          src={me?.user.pictureUrl ?? undefined}
          alt=""
          sx={{ width: 32, height: 32, fontSize: 15, bgcolor: 'primary.main' }}
        >
          {me?.user.name.charAt(0).toUpperCase()}
        </Avatar>
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close} slotProps={{ paper: { sx: { minWidth: 220 } } }}>
        <MenuItem onClick={() => (close(), void navigate('/account'))}>
          <ListItemText primary="Your account" secondary={me?.user.email} />
        </MenuItem>
        <Divider />
        <MenuItem onClick={() => (close(), leaving.mutate())}>{blocked ? 'Stop acting' : 'Log out'}</MenuItem>
      </Menu>
    </>
  );
}

import AccountIcon from '@mui/icons-material/AccountCircleOutlined';
import SignOutIcon from '@mui/icons-material/LogoutOutlined';
import { Box, Button, Divider, ListItemIcon, Menu, MenuItem, Typography } from '@mui/material';
import { useState, useSyncExternalStore } from 'react';
import { api } from '../api';
import { useSignOut } from './use-sign-out';

/** The operator who is signed in, and the way out. */
export const AccountMenu = () => {
  const claims = useSyncExternalStore(api.session.subscribe, api.session.claims);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const signOut = useSignOut();
  const close = () => setAnchor(null);
  const leave = () => {
    close();
    signOut();
  };
  if (!claims) return null;
  return (
    <>
      <Button
        color="inherit"
        aria-label={claims.name}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ minWidth: 0, gap: 1, px: 1 }}
      >
        <AccountIcon />
        <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
          {claims.name}
        </Box>
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        disableScrollLock
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { minWidth: 200 } } }}
      >
        <Box component="li" role="none" sx={{ px: 2, pt: 0.5, pb: 1 }}>
          <Typography sx={{ fontWeight: 600 }}>{claims.name}</Typography>
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {claims.email}
          </Typography>
        </Box>
        <Divider role="none" component="li" sx={{ mb: 0.5 }} />
        <MenuItem onClick={leave} autoFocus>
          <ListItemIcon>
            <SignOutIcon fontSize="small" />
          </ListItemIcon>
          Sign out
        </MenuItem>
      </Menu>
    </>
  );
};

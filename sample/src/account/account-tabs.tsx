import { Box, ButtonBase } from '@mui/material';
import { NavLink } from 'react-router';
import { useWorkspacePath } from '../workspace-path';

const TABS = [
  { to: '/account', name: 'Profile' },
  { to: '/account/security', name: 'Security' },
  { to: '/account/tokens', name: 'Tokens' },
];

/** The links between the pages of the user's own account. */
export function AccountTabs() {
  const path = useWorkspacePath();
  return (
    <Box
      component="nav"
      aria-label="Your account"
      sx={{ display: 'flex', gap: 3, borderBottom: 1, borderColor: 'divider' }}
    >
      {TABS.map(({ to, name }) => (
        <ButtonBase key={to} component={NavLink} end to={path(to)} sx={TAB}>
          {name}
        </ButtonBase>
      ))}
    </Box>
  );
}

const TAB = {
  py: 1.25,
  px: 0.25,
  mb: '-1px',
  fontSize: '0.9375rem',
  fontWeight: 600,
  color: 'text.secondary',
  borderBottom: '2px solid transparent',
  '&:hover': { color: 'text.primary' },
  '&.active': { color: 'primary.main', borderColor: 'primary.main' },
};

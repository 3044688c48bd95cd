import DarkIcon from '@mui/icons-material/DarkModeOutlined';
import LightIcon from '@mui/icons-material/LightModeOutlined';
import { IconButton, Stack, Tooltip, Typography } from '@mui/material';
import { AppBar, Logout, UserMenu, useGetIdentity, useTheme, useUserMenu } from 'react-admin';
import icon from '../../icon.svg';
import { useSignOut } from './use-sign-out';

/** The bar above all pages: where one is, how it looks, who one is. */
export const TopBar = () => (
  <AppBar alwaysOn color="inherit" toolbar={<ThemeToggle />} userMenu={<AccountMenu />}>
    <Stack direction="row" sx={{ alignItems: 'center', gap: 1, flexGrow: 1, minWidth: 0 }}>
      <img src={icon} alt="" width={24} height={24} />
      <Typography sx={{ fontWeight: 650 }} noWrap>
        Tenantry{' '}
        <Typography component="span" color="textSecondary">
          operators
        </Typography>
      </Typography>
    </Stack>
  </AppBar>
);

const AccountMenu = () => {
  const { identity } = useGetIdentity();
  return (
    <UserMenu label={identity?.fullName}>
      <SignOut />
    </UserMenu>
  );
};

const SignOut = () => {
  const signOut = useSignOut();
  const menu = useUserMenu();
  const leave = () => {
    menu?.onClose(); // it may be that one stays
    signOut();
  };
  return <Logout onClick={leave} />;
};

/** Light or dark; until one chooses, as the system has it. */
const ThemeToggle = () => {
  const [theme, setTheme] = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip title={`Change to ${other}`}>
      <IconButton color="inherit" aria-label={`Change to ${other}`} onClick={() => setTheme(other)}>
        {theme === 'dark' ? <LightIcon /> : <DarkIcon />}
      </IconButton>
    </Tooltip>
  );
};

import { Stack, Typography } from '@mui/material';
import { AppBar } from 'react-admin';
import icon from '../../icon.svg';
import { SearchButton } from '../search/search-button';
import { AccountMenu } from './account-menu';
import { ThemeToggle } from './theme-toggle';

/** The bar above all pages: the product, the search, light or dark, the account. */
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
    <SearchButton />
  </AppBar>
);

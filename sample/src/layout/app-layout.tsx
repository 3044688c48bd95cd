import MenuIcon from '@mui/icons-material/Menu';
import { AppBar, Box, Drawer, IconButton, Link, Toolbar, useMediaQuery } from '@mui/material';
import { useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import icon from '../../icon.svg';
import { AccountMenu } from './account-menu';
import { Banners } from './banners';
import { useChosenDates } from './chosen-dates';
import { NotificationBell } from './notification-bell';
import { ErrorBoundary } from './error-boundary';
import { Navigation } from './navigation';
import { WorkspaceSwitcher } from './workspace-switcher';

const WIDTH = 232;

/** The header and the menu around every page of signed-in users. */
export function AppLayout() {
  const [isOpen, setOpen] = useState(false);
  const isWide = useMediaQuery('(min-width: 900px)', { noSsr: true });
  const { pathname } = useLocation();
  const dates = useChosenDates();
  const sides = { '& .MuiDrawer-paper': { width: WIDTH, boxSizing: 'border-box', bgcolor: 'background.default' } };
  return (
    <Box sx={{ display: 'flex', minHeight: '100vh' }}>
      <Link
        href="#content"
        sx={{
          position: 'absolute',
          left: -9999,
          zIndex: 2000,
          p: 1,
          '&:focus': { left: 8, top: 8, bgcolor: 'background.paper' },
        }}
      >
        Skip to content
      </Link>
      <AppBar
        position="fixed"
        color="default"
        elevation={0}
        sx={{
          zIndex: 1201,
          bgcolor: 'background.paper',
          backgroundImage: 'none',
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Toolbar sx={{ gap: 1 }}>
          {!isWide && (
            <IconButton edge="start" aria-label="Navigation" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <MenuIcon />
            </IconButton>
          )}
          {isWide && <img src={icon} alt="Tenantry" width={28} height={28} />}
          <WorkspaceSwitcher />
          <Box sx={{ flexGrow: 1 }} />
          <NotificationBell />
          <AccountMenu />
        </Toolbar>
      </AppBar>
      <Drawer
        variant={isWide ? 'permanent' : 'temporary'}
        open={isWide || isOpen}
        onClose={() => setOpen(false)}
        sx={isWide ? { width: WIDTH, ...sides } : sides}
      >
        <Toolbar />
        <Navigation done={() => setOpen(false)} />
      </Drawer>
      <Box component="main" id="content" tabIndex={-1} sx={{ flexGrow: 1, minWidth: 0, outline: 'none' }}>
        <Toolbar />
        <Banners />
        <Box sx={{ maxWidth: 960, mx: 'auto', p: { xs: 2, sm: 4 } }}>
          <ErrorBoundary key={`${pathname} ${dates}`}>
            <Outlet />
          </ErrorBoundary>
        </Box>
      </Box>
    </Box>
  );
}

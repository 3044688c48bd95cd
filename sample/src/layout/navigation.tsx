import CreditCard from '@mui/icons-material/CreditCardOutlined';
import Folder from '@mui/icons-material/FolderOutlined';
import Group from '@mui/icons-material/GroupOutlined';
import History from '@mui/icons-material/HistoryOutlined';
import Key from '@mui/icons-material/KeyOutlined';
import Settings from '@mui/icons-material/SettingsOutlined';
import Stream from '@mui/icons-material/StreamOutlined';
import VpnKey from '@mui/icons-material/VpnKeyOutlined';
import Webhook from '@mui/icons-material/WebhookOutlined';
import { Box, List, ListItem, ListItemButton, ListItemIcon, ListItemText } from '@mui/material';
import type { ComponentType } from 'react';
import { NavLink, useLocation } from 'react-router';
import { type Permission, useHasPermission } from '../session';
import { useWorkspacePath } from '../workspace-path';

const NAVIGATION_ITEMS: readonly { to: string; name: string; needs: Permission; Icon: ComponentType }[] = [
  { to: '/projects', name: 'Projects', needs: 'tenant.projects.read', Icon: Folder },
  { to: '/members', name: 'Members', needs: 'tenant.members.read', Icon: Group },
  { to: '/roles', name: 'Roles', needs: 'tenant.roles.read', Icon: Key },
  { to: '/api-keys', name: 'API keys', needs: 'tenant.keys.manage', Icon: VpnKey },
  { to: '/webhooks', name: 'Webhooks', needs: 'tenant.webhooks.manage', Icon: Webhook },
  { to: '/billing', name: 'Billing', needs: 'tenant.billing.read', Icon: CreditCard },
  { to: '/audit-log', name: 'Audit log', needs: 'tenant.audit.read', Icon: History },
  { to: '/audit-streams', name: 'Audit streams', needs: 'tenant.audit.stream', Icon: Stream },
  { to: '/settings', name: 'Settings', needs: 'tenant.settings.read', Icon: Settings },
];

/** The pages that the user's role may see. */
export function useNavigationItems() {
  const hasPermission = useHasPermission();
  return NAVIGATION_ITEMS.filter(({ needs }) => hasPermission(needs));
}

/** The page that is open. */
const CURRENT = {
  '&.Mui-selected': { color: 'primary.main', fontWeight: 600, '& .MuiListItemIcon-root': { color: 'inherit' } },
  // A darker background under the pointer would leave the text too little contrast.
  '&.Mui-selected:hover': { bgcolor: 'rgba(var(--mui-palette-primary-mainChannel) / 0.08)' },
};

/** The main menu. @param done called when a page was chosen */
export function Navigation({ done }: { done: () => void }) {
  const { pathname } = useLocation();
  const path = useWorkspacePath();
  return (
    <Box component="nav" aria-label="Main" sx={{ p: 1 }}>
      <List>
        {useNavigationItems().map(({ to, name, Icon }) => (
          <ListItem key={to} disablePadding sx={{ mb: 0.25 }}>
            <ListItemButton
              component={NavLink}
              to={path(to)}
              selected={pathname.startsWith(path(to))}
              onClick={done}
              sx={{ borderRadius: 1, ...CURRENT }}
            >
              <ListItemIcon sx={{ minWidth: 38 }}>
                <Icon />
              </ListItemIcon>
              <ListItemText primary={name} slotProps={{ primary: { sx: { fontWeight: 'inherit' } } }} />
            </ListItemButton>
          </ListItem>
        ))}
      </List>
    </Box>
  );
}

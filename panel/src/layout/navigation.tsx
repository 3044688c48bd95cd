import AuditIcon from '@mui/icons-material/ReceiptLongOutlined';
import DeliveriesIcon from '@mui/icons-material/OutboundOutlined';
import EndpointsIcon from '@mui/icons-material/WebhookOutlined';
import EventsIcon from '@mui/icons-material/BoltOutlined';
import FactorResetsIcon from '@mui/icons-material/LockResetOutlined';
import JobsIcon from '@mui/icons-material/LowPriorityOutlined';
import OverviewIcon from '@mui/icons-material/SpaceDashboardOutlined';
import RevenueIcon from '@mui/icons-material/PaymentsOutlined';
import StreamsIcon from '@mui/icons-material/StreamOutlined';
import TenantsIcon from '@mui/icons-material/ApartmentOutlined';
import UsersIcon from '@mui/icons-material/PeopleAltOutlined';
import { List, ListItem, ListItemButton, ListItemIcon, ListItemText, useMediaQuery, type Theme } from '@mui/material';
import { alpha } from '@mui/material/styles';
import type { ComponentType } from 'react';
import { useSidebarState } from 'react-admin';
import { NavLink } from 'react-router';

/** The pages, in their order. */
export const PAGES: readonly (readonly [to: string, name: string, Icon: ComponentType])[] = [
  ['/', 'Overview', OverviewIcon],
  ['/users', 'Users', UsersIcon],
  ['/tenants', 'Tenants', TenantsIcon],
  ['/revenue', 'Revenue', RevenueIcon],
  ['/webhook-events', 'Stripe events', EventsIcon],
  ['/webhook-endpoints', 'Webhook endpoints', EndpointsIcon],
  ['/webhook-deliveries', 'Webhook deliveries', DeliveriesIcon],
  ['/audit-streams', 'Audit streams', StreamsIcon],
  ['/jobs', 'Jobs', JobsIcon],
  ['/factor-resets', 'Second factor resets', FactorResetsIcon],
  ['/audit-log', 'Audit log', AuditIcon],
];

/** The links to all pages; only their icons when the sidebar is collapsed. */
export const Navigation = () => {
  const [isOpen, setIsOpen] = useSidebarState();
  const isOverlay = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  return (
    <nav aria-label="Pages">
      <List sx={{ p: 1, width: isOpen ? 224 : 56, boxSizing: 'border-box', transition: 'width 200ms' }}>
        {PAGES.map(([to, name, Icon]) => (
          <ListItem key={to} disablePadding sx={{ mb: 0.25 }}>
            <ListItemButton
              component={NavLink}
              to={to}
              end={to === '/'}
              aria-label={name}
              title={isOpen ? undefined : name}
              onClick={() => isOverlay && setIsOpen(false)}
              sx={ITEM}
            >
              <ListItemIcon sx={{ minWidth: 0, mr: 1.5, color: 'inherit', '& svg': { fontSize: 20 } }}>
                <Icon />
              </ListItemIcon>
              {isOpen && <ListItemText primary={name} disableTypography />}
            </ListItemButton>
          </ListItem>
        ))}
      </List>
    </nav>
  );
};

/** The current page has the same weight: bold, a long name would wrap and move those below it. */
const ITEM = {
  borderRadius: 1.5,
  px: 1.25,
  py: 0.75,
  minHeight: 36,
  color: 'text.secondary',
  fontSize: '0.875rem',
  fontWeight: 500,
  '&.active': {
    color: 'primary.main',
    backgroundColor: ({ palette }: Theme) => alpha(palette.primary.main, 0.1),
  },
};

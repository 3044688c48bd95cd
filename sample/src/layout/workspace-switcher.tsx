import UnfoldMore from '@mui/icons-material/UnfoldMore';
import { Badge, Button, Divider, ListItemText, Menu, MenuItem, Skeleton } from '@mui/material';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMe, useTenants, useUnreadByTenant } from '../queries';
import { useImpersonationBlock } from '../session';
import { workspacePath } from '../workspace-path';
import { NewWorkspaceDialog } from './new-workspace';

/** The workspace of this tab, links to the others, and a dialog for a new one. */
export function WorkspaceSwitcher() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isCreating, setCreating] = useState(false);
  const blocked = useImpersonationBlock();
  const me = useMe();
  const active = me.data?.tenant;
  const tenants = useTenants(anchor !== null);
  const unread = useUnreadByTenant().data;
  const hasUnreadElsewhere = unread?.some(({ tenantId }) => tenantId !== active?.id) ?? false;
  const close = () => setAnchor(null);
  const create = () => {
    close();
    setCreating(true);
  };
  const name = active?.name ?? (me.isPending ? '' : 'No workspace');
  return (
    <>
      <Button
        color="inherit"
        endIcon={<UnfoldMore />}
        aria-haspopup="menu"
        aria-label={`Workspace ${name}${hasUnreadElsewhere ? ', new notifications in another workspace' : ''}`}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          minWidth: 0,
          '& > span:first-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
        }}
      >
        {name ? <span>{name}</span> : <Skeleton width={120} aria-hidden />}
        <Badge variant="dot" color="error" invisible={!hasUnreadElsewhere} sx={{ ml: hasUnreadElsewhere ? 1.5 : 0 }} />
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close} slotProps={{ paper: { sx: { minWidth: 220 } } }}>
        {tenants.data?.map(({ tenant, role }) => (
          <MenuItem
            key={tenant.id}
            selected={tenant.id === active?.id}
            disabled={Boolean(blocked) && tenant.id !== active?.id}
            component={Link}
            to={workspacePath(tenant.id)}
            onClick={close}
          >
            <ListItemText primary={tenant.name} secondary={role} />
            <Badge
              badgeContent={unread?.find(({ tenantId }) => tenantId === tenant.id)?.count}
              color="error"
              sx={{ mx: 2 }}
            />
          </MenuItem>
        ))}
        {tenants.isPending && <MenuItem disabled>Loading…</MenuItem>}
        <Divider />
        <MenuItem disabled={Boolean(blocked)} onClick={create}>
          <ListItemText primary="New workspace" secondary={blocked} />
        </MenuItem>
      </Menu>
      <NewWorkspaceDialog isOpen={isCreating} close={() => setCreating(false)} />
    </>
  );
}

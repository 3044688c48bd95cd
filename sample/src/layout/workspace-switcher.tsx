import UnfoldMore from '@mui/icons-material/UnfoldMore';
import { Badge, Button, Divider, ListItemText, Menu, MenuItem } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMe, useUnreadByTenant } from '../queries';
import { api, useImpersonationBlock } from '../session';
import { NewWorkspaceDialog } from './new-workspace';

/** The active workspace, and the way to the others. */
export function WorkspaceSwitcher() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isCreating, setCreating] = useState(false);
  const blocked = useImpersonationBlock();
  const navigate = useNavigate();
  const active = useMe().data?.tenant;
  const own = useQuery({
    queryKey: ['tenants'],
    queryFn: async () => unwrap(await api.GET('/tenants', { params: { query: { limit: 100 } } })).items,
    enabled: anchor !== null,
  });
  const unread = useUnreadByTenant().data;
  const isNewElsewhere = unread?.some(({ tenantId }) => tenantId !== active?.id) ?? false;
  const switching = useMutation({
    mutationFn: async (tenantId: string) => unwrap(await api.POST('/auth/switch-tenant', { body: { tenantId } })),
    onSuccess: () => navigate('/'), // what the address names belongs to the workspace before
  });
  const close = () => setAnchor(null);
  const name = active?.name ?? 'No workspace';
  return (
    <>
      <Button
        color="inherit"
        endIcon={<UnfoldMore />}
        aria-haspopup="menu"
        aria-label={`Workspace ${name}${isNewElsewhere ? ', something new in another one' : ''}`}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          minWidth: 0,
          '& > span:first-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
        }}
      >
        <span>{name}</span>
        <Badge variant="dot" color="error" invisible={!isNewElsewhere} sx={{ ml: 1.5 }} />
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {own.data?.map(({ tenant, role }) => (
          <MenuItem
            key={tenant.id}
            selected={tenant.id === active?.id}
            disabled={Boolean(blocked) && tenant.id !== active?.id}
            onClick={() => (close(), tenant.id !== active?.id && switching.mutate(tenant.id))}
          >
            <ListItemText primary={tenant.name} secondary={role} />
            <Badge
              badgeContent={unread?.find(({ tenantId }) => tenantId === tenant.id)?.count}
              color="error"
              sx={{ mx: 2 }}
            />
          </MenuItem>
        ))}
        {own.isPending && <MenuItem disabled>Loading…</MenuItem>}
        <Divider />
        <MenuItem disabled={Boolean(blocked)} onClick={() => (close(), setCreating(true))}>
          <ListItemText primary="New workspace" secondary={blocked} />
        </MenuItem>
      </Menu>
      <NewWorkspaceDialog isOpen={isCreating} close={() => setCreating(false)} />
    </>
  );
}

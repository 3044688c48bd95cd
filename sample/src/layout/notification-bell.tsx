import Notifications from '@mui/icons-material/NotificationsOutlined';
import { Badge, IconButton, Popover } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { notificationMessage } from '../messages';
import { api } from '../session';
import { NotificationList } from './notification-list';
import { useToast } from './toasts';

/**
 * How many notifications are new. They arrive by themselves, and with them what they are about is
 * read again, such as a banner.
 */
export function NotificationBell() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const showToast = useToast();
  const queries = useQueryClient();
  const unread = useQuery({
    queryKey: ['unread'],
    queryFn: async () => unwrap(await api.GET('/notifications/unread-count')).count,
  });

  useEffect(() => {
    const ending = new AbortController();
    const onNotification = (notification: Parameters<typeof notificationMessage>[0]) => {
      showToast(notificationMessage(notification));
      void queries.invalidateQueries();
    };
    // Back on the line: what came before the stream began was not told, nor what it was about.
    const onConnected = (isConnected: boolean) => void (isConnected && queries.invalidateQueries());
    void api.notifications({ onNotification, onConnected }, ending.signal);
    return () => ending.abort();
  }, [queries, showToast]);

  return (
    <>
      <IconButton
        aria-label={unread.data ? `Notifications, ${unread.data} new` : 'Notifications'}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Badge badgeContent={unread.data || null} color="error">
          <Notifications />
        </Badge>
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': 'Notifications',
            sx: { width: 380, maxWidth: 'calc(100vw - 32px)', p: 2 },
          },
        }}
      >
        <NotificationList />
      </Popover>
    </>
  );
}

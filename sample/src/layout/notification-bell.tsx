import Notifications from '@mui/icons-material/NotificationsOutlined';
import { Badge, Chip, IconButton, Popover } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { notificationMessage } from '../notification-messages';
import { refetch } from '../refetch-queries';
import { api, useImpersonationBlock } from '../session';
import { NotificationList } from './notification-list';
import { useToast } from './toasts';

/** A stream that is back within this time is not worth a word. */
const RECONNECTING_SHOWN_AFTER_MS = 3000;

/**
 * The notifications and how many are new. They arrive over a stream, and whatever they are about is
 * fetched again, such as a banner. Opening the list marks all as read.
 */
export function NotificationBell() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [openedAt, setOpenedAt] = useState(0);
  const isReconnecting = useNotificationStream();
  const blocked = useImpersonationBlock();
  const unread = useQuery({
    queryKey: ['unread'],
    queryFn: async () => unwrap(await api.GET('/notifications/unread-count')).count,
  });
  const markingAllRead = useMutation({ mutationFn: async () => unwrap(await api.POST('/notifications/read-all')) });
  const open = (button: HTMLElement) => {
    setAnchor(button);
    setOpenedAt(Date.now());
    if (unread.data && !blocked) markingAllRead.mutate();
  };
  return (
    <>
      {isReconnecting && <Chip role="status" size="small" variant="outlined" label="Reconnecting…" />}
      <IconButton
        aria-label={unread.data ? `Notifications, ${unread.data} new` : 'Notifications'}
        aria-haspopup="dialog"
        onClick={(event) => open(event.currentTarget)}
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
        <NotificationList openedAt={openedAt} close={() => setAnchor(null)} />
      </Popover>
    </>
  );
}

/** Follows the notifications. @returns whether the connection was lost and is being restored */
function useNotificationStream(): boolean {
  const [isReconnecting, setReconnecting] = useState(false);
  const showToast = useToast();
  const queries = useQueryClient();
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onNotification = (notification: Parameters<typeof notificationMessage>[0]) => {
      const topic = notification.kind === 'SubscriptionCanceled' ? 'subscription' : undefined;
      showToast(notificationMessage(notification), topic);
      void refetch(queries);
    };
    const onConnected = (isConnected: boolean) => {
      clearTimeout(timer);
      if (!isConnected) {
        timer = setTimeout(() => setReconnecting(true), RECONNECTING_SHOWN_AFTER_MS);
        return;
      }
      setReconnecting(false);
      void queries.invalidateQueries(); // what happened before the stream began did not arrive over it
    };
    void api.notifications({ onNotification, onConnected }, ending.signal);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [queries, showToast]);
  return isReconnecting;
}

import Notifications from '@mui/icons-material/NotificationsOutlined';
import { Badge, IconButton, Popover } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { noticeOf } from '../sentences';
import { api } from '../session';
import { Notices } from './notices';
import { useSay } from './snack';

/**
 * How many notifications are new. They arrive by themselves, and with them what they are about is
 * read again, such as a banner.
 */
export function Bell() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const say = useSay();
  const queries = useQueryClient();
  const unread = useQuery({
    queryKey: ['unread'],
    queryFn: async () => unwrap(await api.GET('/notifications/unread-count')).count,
  });

  useEffect(() => {
    const ending = new AbortController();
    const onNotification = (notification: Parameters<typeof noticeOf>[0]) => {
      say(noticeOf(notification));
      void queries.invalidateQueries();
    };
    // Back on the line: what came before the stream began was not told, nor what it was about.
    const onConnected = (isConnected: boolean) => void (isConnected && queries.invalidateQueries());
    void api.notifications({ onNotification, onConnected }, ending.signal);
    return () => ending.abort();
  }, [queries, say]);

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
        <Notices />
      </Popover>
    </>
  );
}

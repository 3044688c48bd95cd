import { Link, Typography } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { Link as RouterLink } from 'react-router';
import { timeAgo } from '../date-format';
import { ListRow } from '../list/list-row';
import { PagedList } from '../list/paged-list';
import { notificationLink, notificationMessage } from '../notification-messages';
import { usePagedQuery } from '../queries';
import { api, useHasPermission } from '../session';
import { useWorkspacePath } from '../workspace-path';

/** The clocks of the browser and of the service may differ by this. */
const CLOCK_SKEW_MS = 60_000;

/**
 * The notifications, newest first.
 * @param openedAt when the list was opened, in milliseconds: what was unread then is emphasized
 */
export function NotificationList({ openedAt, close }: { openedAt: number; close: () => void }) {
  const pages = usePagedQuery('notifications', (query) => api.GET('/notifications', { params: { query } }));
  return (
    <>
      <Typography variant="h2" sx={{ mb: 1 }}>
        Notifications
      </Typography>
      <PagedList pages={pages} empty="No notifications yet.">
        {(notification) => (
          <ListRow
            title={
              <NotificationText
                notification={notification}
                isNew={!notification.readAt || Date.parse(notification.readAt) > openedAt - CLOCK_SKEW_MS}
                close={close}
              />
            }
            text={timeAgo(notification.createdAt)}
          />
        )}
      </PagedList>
    </>
  );
}

interface NotificationTextProps {
  readonly notification: Schemas['NotificationView'];
  readonly isNew: boolean;
  readonly close: () => void;
}

function NotificationText({ notification, isNew, close }: NotificationTextProps) {
  const hasPermission = useHasPermission();
  const path = useWorkspacePath();
  const link = notificationLink(notification);
  const sx = { fontWeight: isNew ? 600 : 400 };
  if (!link || (link.needs && !hasPermission(link.needs)))
    return <Typography sx={sx}>{notificationMessage(notification)}</Typography>;
  return (
    <Link component={RouterLink} to={path(link.to)} onClick={close} color="inherit" underline="hover" sx={sx}>
      {notificationMessage(notification)}
    </Link>
  );
}

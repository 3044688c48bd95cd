import { Button, Stack, Typography } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { PagedList } from '../list/paged-list';
import { ListRow } from '../list/list-row';
import { usePagedQuery } from '../queries';
import { notificationMessage } from '../messages';
import { api, useImpersonationBlock } from '../session';
import { moment } from '../date-format';

/** The notifications, newest first. */
export function NotificationList() {
  const pages = usePagedQuery('notifications', (query) => api.GET('/notifications', { params: { query } }));
  const reading = useMutation({
    mutationFn: async (id: string) => unwrap(await api.POST('/notifications/{id}/read', { params: { path: { id } } })),
  });
  const readingAll = useMutation({ mutationFn: async () => unwrap(await api.POST('/notifications/read-all')) });
  const blocked = useImpersonationBlock();
  const hasNew = pages.data?.pages.some(({ items }) => items.some(({ readAt }) => !readAt));
  return (
    <>
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center', minHeight: 36 }}>
        <Typography variant="h2">Notifications</Typography>
        {hasNew && !blocked && (
          <Button size="small" onClick={() => readingAll.mutate()}>
            Mark all as read
          </Button>
        )}
      </Stack>
      <PagedList pages={pages} empty="Nothing yet. What happens in your workspace will be told here.">
        {(notification) => (
          <ListRow
            title={
              <Typography sx={{ fontWeight: notification.readAt ? 400 : 600 }}>
                {notificationMessage(notification)}
              </Typography>
            }
            text={moment(notification.createdAt)}
          >
            {!notification.readAt && !blocked && (
              <Button size="small" onClick={() => reading.mutate(notification.id)}>
                Mark as read
              </Button>
            )}
          </ListRow>
        )}
      </PagedList>
    </>
  );
}

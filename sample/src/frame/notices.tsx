import { Button, Stack, Typography } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { Listing } from '../list/listing';
import { Row } from '../list/row';
import { usePages } from '../queries';
import { noticeOf } from '../sentences';
import { api, useActing } from '../session';
import { moment } from '../times';

/** The notifications, newest first. */
export function Notices() {
  const pages = usePages('notifications', (query) => api.GET('/notifications', { params: { query } }));
  const reading = useMutation({
    mutationFn: async (id: string) => unwrap(await api.POST('/notifications/{id}/read', { params: { path: { id } } })),
  });
  const readingAll = useMutation({ mutationFn: async () => unwrap(await api.POST('/notifications/read-all')) });
  const acting = useActing();
  const hasNew = pages.data?.pages.some(({ items }) => items.some(({ readAt }) => !readAt));
  return (
    <>
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center', minHeight: 36 }}>
        <Typography variant="h2">Notifications</Typography>
        {hasNew && !acting && (
          <Button size="small" onClick={() => readingAll.mutate()}>
            Mark all as read
          </Button>
        )}
      </Stack>
      <Listing pages={pages} empty="Nothing yet. What happens in your workspace will be told here.">
        {(notification) => (
          <Row
            title={
              <Typography sx={{ fontWeight: notification.readAt ? 400 : 600 }}>{noticeOf(notification)}</Typography>
            }
            text={moment(notification.createdAt)}
          >
            {!notification.readAt && !acting && (
              <Button size="small" onClick={() => reading.mutate(notification.id)}>
                Mark as read
              </Button>
            )}
          </Row>
        )}
      </Listing>
    </>
  );
}

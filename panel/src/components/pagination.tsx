import { Button, Stack, Typography } from '@mui/material';
import { useListContext } from 'react-admin';

/** Previous and next page. The API does not count pages. */
export const Pagination = () => {
  const { page, setPage, hasNextPage, hasPreviousPage, data } = useListContext();
  if (!data || (!hasNextPage && !hasPreviousPage)) return null;
  return (
    <Stack
      component="nav"
      aria-label="Pages of the list"
      direction="row"
      sx={{ p: 1, gap: 1, alignItems: 'center', justifyContent: 'flex-end' }}
    >
      <Button disabled={!hasPreviousPage} onClick={() => setPage(page - 1)}>
        Previous
      </Button>
      <Typography variant="body2" color="textSecondary" aria-live="polite">
        Page {page}
      </Typography>
      <Button disabled={!hasNextPage} onClick={() => setPage(page + 1)}>
        Next
      </Button>
    </Stack>
  );
};

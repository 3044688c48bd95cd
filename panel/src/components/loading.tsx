import { CircularProgress, Stack } from '@mui/material';

/** While something is on its way. */
export const Loading = () => (
  <Stack sx={{ alignItems: 'center', py: 6 }}>
    <CircularProgress size={28} aria-label="Loading" />
  </Stack>
);

import { CircularProgress, Stack } from '@mui/material';

/** A spinner, shown while data or a page is loaded. */
export const Loading = () => (
  <Stack sx={{ alignItems: 'center', py: 6 }}>
    <CircularProgress size={28} aria-label="Loading" />
  </Stack>
);

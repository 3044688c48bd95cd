import type { Failure } from '@tenantry/client';
import { Button, CircularProgress, Stack } from '@mui/material';
import { Refusal } from '../form/refusal';
import { Door } from '../signin/door';

/** While it is not known yet who is here, or a page is on its way. */
export const Splash = () => (
  <Stack role="status" aria-label="Loading" sx={{ alignItems: 'center', py: '30vh' }}>
    <CircularProgress aria-hidden />
  </Stack>
);

/** The service could not be asked who is here. */
export const Unreachable = ({ failure, retry }: { failure: Failure; retry: () => void }) => (
  <Door title="Just a moment">
    <Refusal failure={failure}>
      <Button color="inherit" variant="outlined" onClick={retry}>
        Try again
      </Button>
    </Refusal>
  </Door>
);

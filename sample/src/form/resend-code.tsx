import { Alert, Button } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { unwrap, type Answer } from '@tenantry/client';

/** Has another code emailed, in the form that the code is entered in. */
export function ResendCode({ send }: { send: () => Promise<Answer<null>> }) {
  const resending = useMutation({ mutationFn: async () => unwrap(await send()) });
  return (
    <>
      {resending.isSuccess && <Alert severity="success">Sent. It can take a minute to arrive.</Alert>}
      <Button
        size="small"
        sx={{ alignSelf: 'flex-start', mx: -0.5 }}
        loading={resending.isPending}
        onClick={() => resending.mutate()}
      >
        Send a new code
      </Button>
    </>
  );
}

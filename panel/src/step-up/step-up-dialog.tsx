import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@tenantry/client';
import { useId } from 'react';
import { api } from '../api';
import { ErrorAlert } from '../components/error-alert';
import { Loading } from '../components/loading';
import { ProofForm } from './proof-form';
import { usableProofs } from './usable-proofs';

/** Asks for a proof of the identity before something that gives access or cannot be undone. */
export const StepUpDialog = ({ answer }: { answer: (isConfirmed: boolean) => void }) => {
  const titleId = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['step-up'],
    queryFn: async () => usableProofs(unwrap(await api.GET('/auth/step-up')).methods),
    gcTime: 0, // the methods change with the second factor and the password
    retry: false,
  });
  const cancel = () => answer(false);
  const retry = () => {
    void refetch();
  };
  return (
    <Dialog open onClose={cancel} aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>Confirm that it is you</DialogTitle>
      {data?.length ? (
        <ProofForm proofs={data} onDone={() => answer(true)} onCancel={cancel} />
      ) : (
        <>
          <DialogContent>
            {data && <DialogContentText>{NO_METHOD}</DialogContentText>}
            {!data && (error ? <ErrorAlert error={error} onRetry={retry} /> : <Loading />)}
          </DialogContent>
          <DialogActions>
            <Button onClick={cancel} color="inherit">
              Cancel
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
};

const NO_METHOD =
  'Your account has neither a password, an authenticator app nor a passkey that works here. Set one up in the web ' +
  'client, and sign in here again.';

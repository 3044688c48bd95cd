import { Button, Card, Stack, Typography } from '@mui/material';
import { api } from '../api';
import { FRONTEND } from '../frontend-address';
import { StepUpHost } from '../step-up/step-up-host';
import { stepUpQuestion } from '../step-up/step-up-question';
import { CenteredPage } from './centered-page';
import { useSignOut } from './use-sign-out';

interface SecondFactorNeededProps {
  readonly email: string;
  /** Whether the account has an authenticator app, which was not used in this session. */
  readonly hasApp: boolean;
}

/** The page for operators who have proven no second factor, such as in a trusted browser. */
export const SecondFactorNeeded = ({ email, hasApp }: SecondFactorNeededProps) => {
  const signOut = useSignOut();
  return (
    <CenteredPage>
      <Card sx={{ p: 4, maxWidth: 460 }}>
        <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
          <Typography variant="h1">Operators need a second factor</Typography>
          <Typography>
            You’re signed in as <strong>{email}</strong>.{' '}
            {hasApp
              ? 'This browser is trusted, so you were not asked for a code. The panel needs one.'
              : 'Set up an authenticator app in your account. Then sign in here again, with its code.'}
          </Typography>
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            {hasApp ? <ConfirmButton /> : <SetUpLink />}
            <Button size="medium" color="inherit" onClick={signOut}>
              Sign out
            </Button>
          </Stack>
        </Stack>
      </Card>
      <StepUpHost />
    </CenteredPage>
  );
};

/** Proves the second factor. The next token says that the user is an operator. */
const ConfirmButton = () => {
  const confirm = async () => {
    if (await stepUpQuestion.ask()) await api.session.renew();
  };
  return (
    <Button
      variant="contained"
      size="medium"
      onClick={() => {
        void confirm();
      }}
    >
      Confirm that it is you
    </Button>
  );
};

const SetUpLink = () => (
  <Button variant="contained" size="medium" href={`${FRONTEND}/account/security`} target="_blank" rel="noopener">
    Open your account
  </Button>
);

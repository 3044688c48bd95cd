import { Button, Card, Stack, Typography } from '@mui/material';
import { api } from '../api';
import { StepUpHost } from '../step-up/step-up-host';
import { stepUpQuestion } from '../step-up/step-up-question';
import { CenteredPage } from './centered-page';
import { useSignOut } from './use-sign-out';

/** The page for operators who did not prove their second factor, such as in a trusted browser. */
export const ConfirmationPage = ({ email }: { email: string }) => {
  const signOut = useSignOut();
  const confirm = async () => {
    if (await stepUpQuestion.ask()) await api.session.renew(); // the next token says: an operator
  };
  return (
    <CenteredPage>
      <Card sx={{ p: 4, maxWidth: 460 }}>
        <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
          <Typography variant="h1">Operators need a second factor</Typography>
          <Typography>
            You’re signed in as <strong>{email}</strong>. You have not used your second factor in this session. The
            panel needs it.
          </Typography>
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <Button
              variant="contained"
              size="medium"
              onClick={() => {
                void confirm();
              }}
            >
              Confirm that it is you
            </Button>
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

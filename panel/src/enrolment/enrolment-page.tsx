import { Button, Card, Stack, Typography } from '@mui/material';
import { ApiError, type Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';
import { ErrorAlert } from '../components/error-alert';
import { CenteredPage } from '../layout/centered-page';
import { useSignOut } from '../layout/use-sign-out';
import { StepUpHost } from '../step-up/step-up-host';
import { AuthenticatorSetup } from './authenticator-setup';
import { EnrolmentIntroduction } from './enrolment-introduction';
import { NewRecoveryCodes } from './new-recovery-codes';

interface EnrolmentPageProps {
  readonly email: string;
  /** Called with true while recovery codes are shown: this page must stay until they are saved. */
  readonly keepOpen: (isKept: boolean) => void;
}

/** The page for operators without a second factor: they set an authenticator app up. */
export const EnrolmentPage = ({ email, keepOpen }: EnrolmentPageProps) => {
  const signOut = useSignOut();
  const [enrolment, setEnrolment] = useState<Schemas['TotpEnrolmentView']>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [problem, setProblem] = useState<unknown>();
  const showCodes = (shown: readonly string[]) => {
    setCodes(shown);
    keepOpen(true);
  };
  // The next token says that the user is an operator, and the layout shows the panel.
  const openPanel = async () => {
    const renewal = await api.session.renew();
    setProblem(renewal.kind === 'failed' ? new ApiError(renewal.failure) : undefined);
    if (renewal.kind !== 'failed') keepOpen(false);
  };
  return (
    <CenteredPage>
      <Card sx={{ p: { xs: 3, sm: 4 }, width: '100%', maxWidth: 460, boxSizing: 'border-box' }}>
        <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
          <Typography variant="h1">{codes ? 'Save your recovery codes' : 'Operators need a second factor'}</Typography>
          {problem !== undefined && <ErrorAlert error={problem} />}
          {!enrolment && <EnrolmentIntroduction email={email} onStart={setEnrolment} onProblem={setProblem} />}
          {enrolment && !codes && <AuthenticatorSetup enrolment={enrolment} onDone={showCodes} />}
          {codes && <NewRecoveryCodes email={email} codes={codes} onSaved={openPanel} />}
          {!codes && (
            <Button size="medium" color="inherit" sx={{ mx: -0.75 }} onClick={signOut}>
              Sign out
            </Button>
          )}
        </Stack>
      </Card>
      <StepUpHost />
    </CenteredPage>
  );
};

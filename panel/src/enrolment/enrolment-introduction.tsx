import { Button, Typography } from '@mui/material';
import { ApiError, type Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';

interface EnrolmentIntroductionProps {
  readonly email: string;
  readonly onStart: (enrolment: Schemas['TotpEnrolmentView']) => void;
  /** @param problem undefined when it is tried again */
  readonly onProblem: (problem: unknown) => void;
}

/** Says why a second factor is needed, and starts its setup. */
export const EnrolmentIntroduction = ({ email, onStart, onProblem }: EnrolmentIntroductionProps) => {
  const [isBusy, setIsBusy] = useState(false);
  const start = async () => {
    setIsBusy(true);
    onProblem(undefined);
    const answer = await api.POST('/auth/factors/totp');
    setIsBusy(false);
    if (answer.ok) onStart(answer.data);
    else onProblem(new ApiError(answer.error));
  };
  return (
    <>
      <Typography>
        You’re signed in as <strong>{email}</strong>. The panel opens when you have set up an authenticator app on your
        phone, whose code you then enter at each sign-in.
      </Typography>
      <Button
        variant="contained"
        size="large"
        loading={isBusy}
        onClick={() => {
          void start();
        }}
      >
        Set up an authenticator app
      </Button>
    </>
  );
};

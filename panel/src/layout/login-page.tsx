import { TextField } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useEffect, useState } from 'react';
import { Notification } from 'react-admin';
import { useNavigate } from 'react-router';
import { api } from '../api';
import { SecondFactorRequired } from '../auth-provider';
import { CenteredPage } from './centered-page';
import { LoginForm } from './login-form';
import { SecondFactorForm } from './second-factor-form';

/** The sign-in page: the password, and the second factor of users who have one. */
export const LoginPage = () => {
  const [ticket, setTicket] = useState<Schemas['TicketView']>();
  const [problem, setProblem] = useState<unknown>();
  useSkipIfSignedIn();
  const startAgain = (because?: unknown) => {
    setProblem(because);
    setTicket(undefined);
  };
  return (
    <CenteredPage>
      <title>Sign in – Tenantry operators</title>
      {ticket ? (
        <SecondFactorForm ticket={ticket} startAgain={startAgain} />
      ) : (
        <CredentialsForm problem={problem} onTicket={setTicket} />
      )}
      <Notification />
    </CenteredPage>
  );
};

interface CredentialsFormProps {
  readonly problem: unknown;
  readonly onTicket: (ticket: Schemas['TicketView']) => void;
}

const CredentialsForm = ({ problem, onTicket }: CredentialsFormProps) => (
  <LoginForm
    submit="Sign in"
    problem={problem}
    paramsOf={({ email, password }) => ({ email, password })}
    handle={(thrown) => {
      if (thrown instanceof SecondFactorRequired) onTicket(thrown.ticket);
      return thrown instanceof SecondFactorRequired;
    }}
  >
    {(wrong) => (
      <>
        <TextField
          name="email"
          error={wrong.includes('email')}
          type="email"
          label="Email"
          autoComplete="username"
          required
          autoFocus
          fullWidth
          size="medium"
        />
        <TextField
          name="password"
          error={wrong.includes('password')}
          type="password"
          label="Password"
          autoComplete="current-password"
          required
          fullWidth
          size="medium"
        />
      </>
    )}
  </LoginForm>
);

/** Skips the page if there is a session already, such as from another tab. */
function useSkipIfSignedIn(): void {
  const navigate = useNavigate();
  useEffect(() => {
    void api.session.restore().then((claims) => (claims ? navigate('/', { replace: true }) : undefined));
  }, [navigate]);
}

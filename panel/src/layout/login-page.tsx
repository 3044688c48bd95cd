import { Button, Card, Stack, TextField, Typography } from '@mui/material';
import { ApiError } from '@tenantry/client';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { Notification, useLogin } from 'react-admin';
import { useLocation, useNavigate } from 'react-router';
import icon from '../../icon.svg';
import { ErrorAlert } from '../components/error-alert';
import { focusAfterError } from '../components/focus-after-error';
import { api } from '../api';
import { CenteredPage } from './centered-page';

/** The sign-in page. After signing in, the page that was requested is shown. */
export const LoginPage = () => {
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const login = useLogin();
  const isAsked = Boolean((useLocation().state as { nextPathname?: string } | null)?.nextPathname);
  const form = useRef<HTMLFormElement>(null);
  const wrong = wrongFieldsOf(problem);
  useSkipIfSignedIn();
  // The button was disabled while sending and has lost the focus.
  useEffect(() => {
    if (problem !== undefined) focusAfterError(form.current);
  }, [problem]);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsBusy(true);
    setProblem(undefined);
    await login(Object.fromEntries(new FormData(event.currentTarget)), isAsked ? undefined : '/').catch(setProblem);
    setIsBusy(false);
  };
  return (
    <CenteredPage>
      <title>Sign in – Tenantry operators</title>
      <Card
        component="form"
        ref={form}
        onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
          void submit(event);
        }}
        sx={{ p: 4, width: '100%', maxWidth: 380, boxSizing: 'border-box' }}
      >
        <Stack sx={{ gap: 2.5 }}>
          <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center' }}>
            <img src={icon} alt="" width={36} height={36} />
            <div>
              <Typography variant="h1">Tenantry</Typography>
              <Typography color="textSecondary">Operators’ panel</Typography>
            </div>
          </Stack>
          {problem !== undefined && <ErrorAlert error={problem} />}
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
          <Button type="submit" variant="contained" size="large" loading={isBusy}>
            Sign in
          </Button>
        </Stack>
      </Card>
      <Notification />
    </CenteredPage>
  );
};

/** The names of the fields that a refusal is about. */
function wrongFieldsOf(problem: unknown): string[] {
  if (!(problem instanceof ApiError)) return [];
  return problem.code === 'INVALID_CREDENTIALS' ? ['password'] : Object.keys(problem.details ?? {});
}

/** Skips the page if there is a session already, such as from another tab. */
function useSkipIfSignedIn(): void {
  const navigate = useNavigate();
  useEffect(() => {
    void api.session.restore().then((claims) => (claims ? navigate('/', { replace: true }) : undefined));
  }, [navigate]);
}

import { Button, Card, Stack, Typography } from '@mui/material';
import { ApiError } from '@tenantry/client';
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { useLogin } from 'react-admin';
import { useLocation } from 'react-router';
import icon from '../../icon.svg';
import { ErrorAlert } from '../components/error-alert';
import { focusAfterError } from '../components/focus-after-error';

type Values = Readonly<Record<string, string>>;

interface LoginFormProps {
  readonly submit: string;
  /** @returns the parameters of the auth provider's `login` for the submitted values */
  readonly paramsOf: (values: Values) => object;
  /** What `login` has thrown is shown, unless this handles it. @returns whether it did */
  readonly handle: (thrown: unknown) => boolean;
  /** Shown before the first attempt. */
  readonly problem?: unknown;
  /** @param wrong the names of the fields that a refusal is about */
  readonly children: (wrong: readonly string[]) => ReactNode;
  /** What else can be done, below the button. */
  readonly footer?: ReactNode;
}

/** A step of the sign-in. After the last one, the page that was requested is shown. */
export const LoginForm = ({ submit, paramsOf, handle, problem: earlier, children, footer }: LoginFormProps) => {
  const [problem, setProblem] = useState(earlier);
  const [isBusy, setIsBusy] = useState(false);
  const login = useLogin();
  const isAsked = Boolean((useLocation().state as { nextPathname?: string } | null)?.nextPathname);
  const form = useRef<HTMLFormElement>(null);
  // The button was disabled while sending and has lost the focus.
  useEffect(() => {
    if (problem !== undefined) focusAfterError(form.current);
  }, [problem]);
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsBusy(true);
    setProblem(undefined);
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Values;
    await login(paramsOf(values), isAsked ? undefined : '/').catch((thrown: unknown) => {
      if (!handle(thrown)) setProblem(thrown);
    });
    setIsBusy(false);
  };
  return (
    <Card
      component="form"
      ref={form}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        void send(event);
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
        {children(wrongFieldsOf(problem))}
        <Button type="submit" variant="contained" size="large" loading={isBusy}>
          {submit}
        </Button>
        {footer}
      </Stack>
    </Card>
  );
};

/** The fields of errors that have no details; a form has some of them. */
const FIELDS_OF_CODE: Readonly<Record<string, string[]>> = {
  INVALID_CREDENTIALS: ['password'],
  SECOND_FACTOR_INVALID: ['code', 'recoveryCode'],
};

function wrongFieldsOf(problem: unknown): string[] {
  if (!(problem instanceof ApiError)) return [];
  return FIELDS_OF_CODE[problem.code] ?? Object.keys(problem.details ?? {});
}

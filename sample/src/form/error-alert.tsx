import type { Failure } from '@tenantry/client';
import { Alert, Box } from '@mui/material';
import type { ReactNode } from 'react';
import { errorMessage } from '../messages';
import { fieldMessage } from './field-messages';

/** An error with the details that no field of the form shows, and what to do about it. */
export function ErrorAlert({
  failure,
  fields,
  children,
}: {
  failure: Failure;
  fields?: readonly string[];
  children?: ReactNode;
}) {
  const details = failure.code === 'VALIDATION_ERROR' ? failure.details : undefined;
  const others = Object.entries(details ?? {}).filter(([name]) => !fields?.includes(name.split('.')[0]));
  return (
    <Alert severity="error">
      {errorMessage(failure)}
      {others.map(([name, messages]) => (
        <div key={name}>
          {name}: {messages.map(fieldMessage).join(' ')}
        </div>
      ))}
      {children && <Box sx={{ mt: 1 }}>{children}</Box>}
    </Alert>
  );
}

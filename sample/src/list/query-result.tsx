import { Button, Skeleton, Stack } from '@mui/material';
import type { ApiError } from '@tenantry/client';
import type { ReactNode } from 'react';
import { ErrorAlert } from '../form/error-alert';
import { isRetryable } from '../queries';

/** What has been read so far. */
export interface Read<Data> {
  readonly data: Data | undefined;
  readonly error: ApiError | null;
  readonly refetch: () => Promise<unknown>;
}

/** The data of a query; a skeleton while it loads; an error, with a retry where that may help. */
export function QueryResult<Data>({ from, children }: { from: Read<Data>; children: (data: Data) => ReactNode }) {
  if (from.data !== undefined) return children(from.data);
  if (!from.error) {
    return (
      <Stack spacing={1.5} role="status" aria-label="Loading">
        {[70, 90, 60].map((percent) => (
          <Skeleton key={percent} variant="rounded" height={28} width={`${percent}%`} />
        ))}
      </Stack>
    );
  }
  return (
    <ErrorAlert failure={from.error.failure}>
      {isRetryable(from.error) && (
        <Button
          size="small"
          color="inherit"
          variant="outlined"
          onClick={() => {
            void from.refetch();
          }}
        >
          Try again
        </Button>
      )}
    </ErrorAlert>
  );
}

import { Button, Skeleton, Stack } from '@mui/material';
import type { ApiError } from '@tenantry/client';
import type { ReactNode } from 'react';
import { Refusal } from '../form/refusal';
import { isPassing } from '../queries';

interface Read<Data> {
  readonly data: Data | undefined;
  readonly error: ApiError | null;
  readonly refetch: () => Promise<unknown>;
}

/** What was read; until then its outline, and a way to try again where it could not be read. */
export function Loaded<Data>({ from, children }: { from: Read<Data>; children: (data: Data) => ReactNode }) {
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
    <Refusal failure={from.error.failure}>
      {isPassing(from.error) && (
        <Button size="small" color="inherit" variant="outlined" onClick={() => void from.refetch()}>
          Try again
        </Button>
      )}
    </Refusal>
  );
}

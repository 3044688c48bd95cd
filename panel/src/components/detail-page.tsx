import { Button, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@tenantry/client';
import type { ReactNode } from 'react';
import { useDataProvider, useResourceContext, type RaRecord } from 'react-admin';
import { Link, useParams } from 'react-router';
import { ErrorAlert } from './error-alert';
import { Loading } from './loading';
import { PageHeader } from './page-header';

interface DetailPageProps<Row> {
  /** The title of the list that the record belongs to. */
  readonly list: string;
  /** What a record is called: "Tenant". */
  readonly noun: string;
  /** How often the record is read again. */
  readonly everyMs?: number;
  /** Why a record may be missing. */
  readonly missing?: string;
  readonly children: (record: Row) => ReactNode;
}

/** The page of the record whose ID is in the address, or the reason why it cannot be shown. */
export const DetailPage = <Row extends RaRecord>({ list, noun, everyMs, missing, children }: DetailPageProps<Row>) => {
  const resource = useResourceContext()!;
  const { id } = useParams() as { id: string };
  const { getOne } = useDataProvider();
  // Not useGetOne: it would first show the record from a list, which has fewer fields.
  const { data, error, refetch } = useQuery({
    queryKey: ['detail', resource, id],
    queryFn: async () => (await getOne<Row>(resource, { id })).data,
    refetchInterval: ({ state }) => (state.error ? false : everyMs),
  });
  if (!error) return data ? children(data) : <Loading />;
  const within = { to: `/${resource}`, name: list };
  if (isMissing(error)) {
    return (
      <>
        <PageHeader title={`${noun} not found`} within={within} />
        <Typography sx={{ mb: 2 }}>{missing ?? 'It does not exist, or it was deleted.'}</Typography>
        <Button component={Link} to={`/${resource}`} variant="outlined">
          {`Back to ${list.toLowerCase()}`}
        </Button>
      </>
    );
  }
  return (
    <>
      <PageHeader title={noun} within={within} />
      <ErrorAlert
        error={error}
        onRetry={() => {
          void refetch();
        }}
      />
    </>
  );
};

/** A malformed ID is refused as invalid: there is no such record either. */
const isMissing = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.code === 'VALIDATION_ERROR');

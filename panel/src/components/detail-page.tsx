import { Alert } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@tenantry/client';
import type { ReactNode } from 'react';
import { useDataProvider, useResourceContext, type RaRecord } from 'react-admin';
import { useParams } from 'react-router';
import { PageHeader } from './page-header';
import { ErrorAlert } from './error-alert';
import { Loading } from './loading';

interface DetailPageProps<Row> {
  /** The list that it belongs to, by the name that is read. */
  readonly list: string;
  /** How often it looks again. */
  readonly everyMs?: number;
  /** What it means that it is not there. */
  readonly gone?: string;
  readonly children: (record: Row) => ReactNode;
}

/** A record by the id in the address, or why it cannot be shown. */
export const DetailPage = <Row extends RaRecord>({ list, everyMs, gone, children }: DetailPageProps<Row>) => {
  const resource = useResourceContext()!;
  const { id } = useParams() as { id: string };
  const { getOne } = useDataProvider();
  // Not by useGetOne, which begins with what a list had of the record: less than all.
  const { data, error, refetch } = useQuery({
    queryKey: ['detail', resource, id],
    queryFn: async () => (await getOne<Row>(resource, { id })).data,
    refetchInterval: ({ state }) => (state.error ? false : everyMs),
  });
  if (error) {
    return (
      <>
        <PageHeader title={list} within={{ to: `/${resource}`, name: list }} />
        {gone && isMissing(error) ? (
          <Alert severity="info">{gone}</Alert>
        ) : (
          <ErrorAlert error={error} onRetry={() => void refetch()} />
        )}
      </>
    );
  }
  return data ? children(data) : <Loading />;
};

const isMissing = (error: unknown) => error instanceof ApiError && error.failure.status === 404;

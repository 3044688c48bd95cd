import { Box, Card, LinearProgress, useMediaQuery, type Theme } from '@mui/material';
import type { ReactNode } from 'react';
import { DataTable, ListBase, useListContext, type RaRecord } from 'react-admin';
import { RETRY_OUTAGES } from '../query-client';
import { CardList, type CardRenderer } from './card-list';
import { PageHeader } from './page-header';
import { Pagination } from './pagination';
import { ErrorAlert } from './error-alert';
import { ExportButton } from './export-button';
import { ListFilters } from './list-filters';
import { Loading } from './loading';
import { SelectionBar } from './selection-bar';

interface ListPageProps<Row extends RaRecord> {
  readonly title: string;
  /** The inputs of the filters. */
  readonly filters: ReactNode;
  /** The filters of an address without any. */
  readonly initial?: object;
  /** The text of an empty list: without filters, and with some. */
  readonly empty: readonly [string, string];
  /** A row on a narrow screen. */
  readonly card: CardRenderer<Row>;
  /** The polling interval. */
  readonly everyMs?: number;
  /** The buttons for selected rows. */
  readonly bulk?: ReactNode;
  /** Whether a row is a link to its record. */
  readonly rowClick?: 'show' | false;
  /** The details of a row, shown below it when it is expanded. */
  readonly expand?: ReactNode;
  /** Whether the list can be saved as a file. */
  readonly isExported?: boolean;
  /** Content between the title and the list. */
  readonly above?: ReactNode;
  /** The columns. */
  readonly children: ReactNode;
}

const PER_PAGE = 25;

/** For wide filters. */
export const WIDE = { '&&': { flexBasis: 280 } };

/** A filtered list in pages, both in its address: a table, or cards on a phone. */
export const ListPage = <Row extends RaRecord>({
  title,
  above,
  everyMs,
  filters,
  initial,
  isExported = true,
  ...content
}: ListPageProps<Row>) => (
  <ListBase
    perPage={PER_PAGE}
    storeKey={false}
    filterDefaultValues={initial}
    exporter={false}
    queryOptions={{ refetchInterval: everyMs, onError: ignore, ...RETRY_OUTAGES }}
  >
    <PageHeader title={title}>{isExported && <ExportButton />}</PageHeader>
    {above}
    <Card component="section" aria-label={title} sx={{ overflow: 'visible' }}>
      <Box sx={{ p: 1.5 }}>
        <ListFilters>{filters}</ListFilters>
      </Box>
      <Content {...content} />
    </Card>
  </ListBase>
);

/** No toast: the error is shown in place of the list. */
const ignore = () => undefined;

const Content = <Row extends RaRecord>({
  card,
  empty,
  bulk,
  rowClick = 'show',
  expand,
  children,
}: Omit<ListPageProps<Row>, 'title' | 'filters' | 'isExported'>) => {
  const { data, error, isPending, isFetching, isPlaceholderData, refetch, ...context } = useListContext<Row>();
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('md'));
  const nothing = (
    <Box sx={{ px: 2, py: 5, textAlign: 'center', color: 'text.secondary' }}>
      {empty[Object.keys(context.filterValues as object).length > 0 ? 1 : 0]}
    </Box>
  );
  return (
    <Box sx={{ position: 'relative', borderTop: 1, borderColor: 'divider' }}>
      {isFetching && isPlaceholderData && (
        <LinearProgress
          aria-label="Loading"
          sx={{ position: 'absolute', top: 0, width: '100%', height: 2, zIndex: 1 }}
        />
      )}
      {error && (
        <Box sx={{ p: 2 }}>
          <ErrorAlert
            error={error}
            onRetry={() => {
              void refetch();
            }}
          />
        </Box>
      )}
      {isPending && !error && <Loading />}
      {data?.length === 0 && nothing}
      {data && data.length > 0 && isNarrow && <CardList rows={data} card={card} />}
      {data && data.length > 0 && !isNarrow && (
        <DataTable
          bulkActionButtons={bulk ?? false}
          bulkActionsToolbar={bulk && <SelectionBar>{bulk}</SelectionBar>}
          rowClick={rowClick}
          expand={expand}
        >
          {children}
        </DataTable>
      )}
      <Pagination />
    </Box>
  );
};

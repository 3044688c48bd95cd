import { Box, Button, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import type { Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { ErrorAlert } from './error-alert';
import { Loading } from './loading';

interface DataRowsProps<Row> {
  /** undefined while loading */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** The cells of each column, by its header. */
  readonly columns: Readonly<Record<string, (row: Row) => ReactNode>>;
  /** The headers of numeric columns. */
  readonly numbers?: readonly string[];
  readonly empty: string;
  readonly more?: () => void;
  readonly isBusy?: boolean;
  readonly error?: unknown;
  readonly retry?: () => void;
}

/** A small table within a page, with a button for more rows. */
export const DataRows = <Row,>({
  rows,
  keyOf,
  columns,
  numbers = [],
  empty,
  more,
  isBusy,
  error,
  retry,
}: DataRowsProps<Row>) => {
  const names = Object.keys(columns);
  const align = (name: string) => (numbers.includes(name) ? 'right' : 'left');
  if (error) {
    return (
      <Box sx={{ p: 2 }}>
        <ErrorAlert error={error} onRetry={retry} />
      </Box>
    );
  }
  if (!rows) return <Loading />;
  if (rows.length === 0) return <Box sx={{ px: 2, pb: 2, color: 'text.secondary' }}>{empty}</Box>;
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Table sx={STACKED}>
        <TableHead>
          <TableRow>
            {names.map((name) => (
              <TableCell key={name} align={align(name)}>
                {name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody sx={{ '& tr:last-child td': { borderBottom: more ? undefined : 0 } }}>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>
              {names.map((name) => (
                <TableCell key={name} align={align(name)} data-number={numbers.includes(name) ? name : undefined}>
                  {columns[name](row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {more && (
        <Button onClick={more} loading={isBusy} sx={{ m: 1 }}>
          Show more
        </Button>
      )}
    </Box>
  );
};

/** On a phone a row is a block of values, and each number has its header before it. */
const STACKED = ({ breakpoints, palette }: Theme) => ({
  [breakpoints.down('sm')]: {
    '& thead': { display: 'none' },
    '& tbody tr': {
      display: 'flex',
      flexWrap: 'wrap',
      columnGap: '12px',
      alignItems: 'center',
      padding: '10px 16px',
      borderBottom: `1px solid ${palette.divider}`,
    },
    '& td': { padding: 0, border: 0, textAlign: 'left' },
    '& td[data-number]::before': { content: 'attr(data-number) " "', color: palette.text.secondary },
  },
});

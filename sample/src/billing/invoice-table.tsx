import {
  Box,
  Button,
  Chip,
  type ChipProps,
  Link,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { mediumDate } from '../date-format';
import { Section } from '../layout/page';
import { QueryResult } from '../list/query-result';
import { usePagedQuery } from '../queries';
import { api } from '../session';
import { money } from './money-format';

type Invoice = Schemas['BillingInvoiceView'];

/** The invoices, newest first, with links to their pages and PDFs. */
export function InvoiceTable() {
  const pages = usePagedQuery('invoices', (query) => api.GET('/billing/invoices', { params: { query } }));
  return (
    <Section title="Invoices">
      <QueryResult from={pages}>
        {(read) => {
          const invoices = read.pages.flatMap(({ items }) => items);
          if (invoices.length === 0) return <Typography color="textSecondary">No invoices yet.</Typography>;
          return <InvoiceRows invoices={invoices} />;
        }}
      </QueryResult>
      {pages.hasNextPage && (
        <Button
          sx={{ mt: 2 }}
          loading={pages.isFetchingNextPage}
          onClick={() => {
            void pages.fetchNextPage();
          }}
        >
          Load more
        </Button>
      )}
    </Section>
  );
}

/** On a phone there is no room for the number. */
const WIDE = { display: { xs: 'none', sm: 'table-cell' } };

function InvoiceRows({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <Table size="small" sx={{ '& th, & td': { px: { xs: 0.75, sm: 2 } }, '& tr > :first-of-type': { pl: 0 } }}>
      <TableHead>
        <TableRow>
          <TableCell>Date</TableCell>
          <TableCell sx={WIDE}>Number</TableCell>
          <TableCell align="right">Amount</TableCell>
          <TableCell>Status</TableCell>
          <TableCell align="right">Invoice</TableCell>
        </TableRow>
      </TableHead>
      <TableBody sx={{ '& tr:last-of-type td': { borderBottom: 0 } }}>
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </TableBody>
    </Table>
  );
}

const STATUS_CHIPS: Readonly<Partial<Record<string, { label: string; color: ChipProps['color'] }>>> = {
  paid: { label: 'Paid', color: 'success' },
  open: { label: 'Open', color: 'warning' },
  void: { label: 'Void', color: 'default' },
  uncollectible: { label: 'Unpaid', color: 'error' },
};

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { id, number, date, amount, currency, status, hostedUrl, pdfUrl } = invoice;
  const name = number ?? id;
  return (
    <TableRow>
      <TableCell>{mediumDate(date)}</TableCell>
      <TableCell sx={WIDE}>{number ?? '–'}</TableCell>
      <TableCell align="right" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {money(amount, currency)}
      </TableCell>
      <TableCell>
        <Chip size="small" variant="outlined" {...(STATUS_CHIPS[status] ?? { label: status })} />
      </TableCell>
      <TableCell align="right">
        <Box sx={{ display: 'inline-flex', gap: 1.5 }}>
          {hostedUrl && <InvoiceLink href={hostedUrl} label="View" about={`invoice ${name}`} />}
          {pdfUrl && <InvoiceLink href={pdfUrl} label="PDF" about={`of invoice ${name}`} />}
        </Box>
      </TableCell>
    </TableRow>
  );
}

const InvoiceLink = ({ href, label, about }: { href: string; label: string; about: string }) => (
  <Link href={href} target="_blank" rel="noopener noreferrer" aria-label={`${label} ${about}`}>
    {label}
  </Link>
);

import { Box, List, ListItem, ListItemButton, Stack } from '@mui/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** A row as a card: its link, if any, its title, its status, and further lines. */
export type CardRenderer<Row> = (row: Row) => { to?: string; title: ReactNode; state?: ReactNode; lines: ReactNode };

/** Rows as cards, for narrow screens. */
export const CardList = <Row extends { readonly id: string | number }>({
  rows,
  card,
}: {
  rows: readonly Row[];
  card: CardRenderer<Row>;
}) => (
  <List disablePadding>
    {rows.map((row) => {
      const { to, title, state, lines } = card(row);
      const content = (
        <Box sx={{ width: '100%', minWidth: 0 }}>
          <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1, alignItems: 'flex-start' }}>
            <Box sx={{ fontWeight: 550, minWidth: 0, overflowWrap: 'anywhere' }}>{title}</Box>
            <Stack direction="row" sx={{ gap: 0.5, flexShrink: 0 }}>
              {state}
            </Stack>
          </Stack>
          <Box sx={LINES}>{lines}</Box>
        </Box>
      );
      return (
        <ListItem key={row.id} disablePadding divider>
          {to ? (
            <ListItemButton component={Link} to={to} sx={{ px: 2, py: 1.25, color: 'text.primary' }}>
              {content}
            </ListItemButton>
          ) : (
            <Box sx={{ px: 2, py: 1.25, width: '100%', minWidth: 0 }}>{content}</Box>
          )}
        </ListItem>
      );
    })}
  </List>
);

/** Links within text are underlined: color alone is not enough. */
const LINES = {
  color: 'text.secondary',
  fontSize: '0.8125rem',
  overflowWrap: 'anywhere',
  mt: 0.25,
  '& a': { textDecoration: 'underline' },
};

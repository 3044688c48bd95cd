import { Box } from '@mui/material';
import type { ReactNode } from 'react';

export interface Fact {
  readonly name: string;
  /** A fact without a value is not shown. */
  readonly value: ReactNode;
}

/** Names and values, side by side; on a phone one below the other. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <Box component="dl" sx={FACTS}>
      {facts.map(({ name, value }) => value && <FactRow key={name} {...{ name, value }} />)}
    </Box>
  );
}

const FactRow = ({ name, value }: Fact) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const FACTS = {
  m: 0,
  display: 'grid',
  rowGap: 1.25,
  typography: 'body2',
  overflowWrap: 'anywhere',
  '& > div': {
    display: 'grid',
    gridTemplateColumns: { xs: '1fr', sm: '9rem 1fr' },
    columnGap: 2,
    alignItems: 'baseline',
  },
  '& dt': { color: 'text.secondary' },
  '& dd': { m: 0, minWidth: 0 },
};

import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** The fields of a record, side by side where there is room. */
export const FieldList = ({ children }: { children: ReactNode }) => (
  <Box
    component="dl"
    sx={{
      m: 0,
      display: 'grid',
      gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 190px), 1fr))',
      columnGap: 3,
      rowGap: 1.75,
    }}
  >
    {children}
  </Box>
);

/** A field: its name and its value, or a dash. */
export const Field = ({ name, children }: { name: string; children: ReactNode }) => (
  <Box sx={{ minWidth: 0 }}>
    <Box component="dt" sx={{ color: 'text.secondary', fontSize: '0.75rem', mb: 0.25 }}>
      {name}
    </Box>
    <Box component="dd" sx={{ m: 0, fontSize: '0.875rem', overflowWrap: 'anywhere' }}>
      {children ?? '–'}
    </Box>
  </Box>
);

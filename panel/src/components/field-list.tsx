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

interface FieldProps {
  readonly name: string;
  /** Whether the field has a line of its own. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A field: its name and its value, or a dash. */
export const Field = ({ name, isWide = false, children }: FieldProps) => (
  <Box sx={{ minWidth: 0, gridColumn: isWide ? '1 / -1' : undefined }}>
    <Box component="dt" sx={{ color: 'text.secondary', fontSize: '0.75rem', mb: 0.25 }}>
      {name}
    </Box>
    <Box component="dd" sx={{ m: 0, fontSize: '0.875rem', overflowWrap: 'anywhere' }}>
      {children ?? '–'}
    </Box>
  </Box>
);

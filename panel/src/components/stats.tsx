import { Box, Stack } from '@mui/material';
import type { Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface StatProps {
  readonly name: string;
  readonly value: number | string;
  /** The list that the number counts. */
  readonly to?: string;
  /** The color of any number but 0. */
  readonly tone?: 'warning' | 'error';
}

/** Numbers, side by side. */
export const Stats = ({ children }: { children: ReactNode }) => (
  <Stack direction="row" sx={{ flexWrap: 'wrap', rowGap: 0.5, mx: -0.75, mb: 1.5 }}>
    {children}
  </Stack>
);

/** A number with its name, linked to the list that it counts. */
export const Stat = ({ name, value, to, tone }: StatProps) => (
  <Box
    {...(to ? { component: Link, to } : {})}
    sx={{
      px: 0.75,
      py: 0.5,
      minWidth: 64,
      borderRadius: 1,
      color: 'text.primary',
      textDecoration: 'none',
      '&[href]:hover': { backgroundColor: 'action.hover' },
    }}
  >
    <Box
      sx={{
        fontSize: '1.375rem',
        fontWeight: 600,
        lineHeight: 1.25,
        color: ({ palette }: Theme) => (tone && value !== 0 ? palette[tone].main : undefined),
      }}
    >
      {typeof value === 'number' ? value.toLocaleString() : value}
    </Box>
    <Box sx={{ fontSize: '0.75rem', color: 'text.secondary', whiteSpace: 'nowrap' }}>{name}</Box>
  </Box>
);

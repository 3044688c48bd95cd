import { Box, Card, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  /** Buttons or links beside the heading. */
  readonly aside?: ReactNode;
  /** Whether the content reaches the edges, as tables do. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A card with a heading. */
export const Section = ({ title, aside, flush = false, children }: SectionProps) => (
  <Card component="section" sx={{ minWidth: 0, display: 'flex', flexDirection: 'column' }}>
    <Stack
      direction="row"
      sx={{
        px: 2,
        pt: 1.5,
        pb: 1,
        gap: 1,
        minHeight: 34,
        alignItems: 'center',
        justifyContent: 'space-between',
        flexWrap: 'wrap',
      }}
    >
      <Typography variant="h2">{title}</Typography>
      {aside && <Box sx={{ fontSize: '0.8125rem', display: 'flex', gap: 1, alignItems: 'center' }}>{aside}</Box>}
    </Stack>
    <Box sx={{ px: flush ? 0 : 2, pb: flush ? 0 : 2, flexGrow: 1, overflowX: flush ? 'auto' : 'visible' }}>
      {children}
    </Box>
  </Card>
);

/** Cards side by side, as many as fit. */
export const Columns = ({ width = 420, children }: { width?: number; children: ReactNode }) => (
  <Box
    sx={{ display: 'grid', gap: 2, mb: 2, gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${width}px), 1fr))` }}
  >
    {children}
  </Box>
);

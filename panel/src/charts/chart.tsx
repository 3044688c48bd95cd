import { Box, Skeleton } from '@mui/material';
import { Suspense, lazy } from 'react';

/** What a chart shows over time: a row of numbers, of which null is none. */
export interface Series {
  readonly name: string;
  readonly tone: 'primary' | 'success' | 'warning' | 'error' | 'info';
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** What it shows, in words, for those who do not see it. */
  readonly label: string;
  readonly kind: 'bars' | 'lines';
  /** When, or at which day, the values were. */
  readonly times: readonly Date[];
  readonly tick: (time: Date) => string;
  readonly series: readonly Series[];
  readonly unit?: string;
}

const ChartCanvas = lazy(() => import('./chart-canvas'));
const HEIGHT = 200;
const LEGEND = 32;

/** A chart over time. What draws is large, and comes when everything else stands already. */
export const Chart = (props: ChartProps) => (
  <Box role="img" aria-label={props.label} sx={{ minHeight: HEIGHT, mx: -1 }}>
    <Suspense fallback={<Skeleton variant="rounded" height={HEIGHT} sx={{ mx: 1 }} />}>
      <ChartCanvas {...props} height={props.series.length > 1 ? HEIGHT - LEGEND : HEIGHT} />
    </Suspense>
  </Box>
);

import { Box, Skeleton } from '@mui/material';
import { Suspense, lazy } from 'react';

/** A line or a set of bars: numbers over time; null where there is none. */
export interface Series {
  readonly name: string;
  readonly tone: 'primary' | 'success' | 'warning' | 'error' | 'info';
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** Its content in a sentence, for screen readers. */
  readonly label: string;
  readonly kind: 'bars' | 'lines';
  /** The time of each value, oldest first. */
  readonly times: readonly Date[];
  /** A time on the axis. */
  readonly tick: (time: Date) => string;
  /** A time in the tooltip. */
  readonly full: (time: Date) => string;
  readonly series: readonly Series[];
  readonly unit?: string;
  /** Values as texts, where a number with its unit is not enough. */
  readonly format?: { readonly axis: (value: number) => string; readonly full: (value: number) => string };
}

const ChartCanvas = lazy(() => import('./chart-canvas'));
const HEIGHT = 200;
const LEGEND = 32;

/** The space of a chart whose data are not there yet. */
export const ChartSkeleton = () => <Skeleton variant="rounded" height={HEIGHT} />;

/**
 * A chart over time, or a sentence where there is nothing to draw. The drawing library is large and
 * loaded after everything else.
 */
export const Chart = ({ empty, ...props }: ChartProps & { readonly empty: string }) => {
  if (!hasMarks(props)) return <Box sx={EMPTY}>{empty}</Box>;
  return (
    <Box role="img" aria-label={props.label} sx={{ minHeight: HEIGHT, mx: -1 }}>
      <Suspense fallback={<Skeleton variant="rounded" height={HEIGHT} sx={{ mx: 1 }} />}>
        <ChartCanvas {...props} height={props.series.length > 1 ? HEIGHT - LEGEND : HEIGHT} />
      </Suspense>
    </Box>
  );
};

/** A bar of height zero is not seen, a point at zero is. */
const hasMarks = ({ kind, series }: ChartProps) =>
  series.some(({ values }) => values.some((value) => value !== null && (kind === 'lines' || value > 0)));

const EMPTY = {
  height: HEIGHT,
  display: 'grid',
  placeItems: 'center',
  textAlign: 'center',
  borderRadius: 1,
  backgroundColor: 'background.default',
  color: 'text.secondary',
  fontSize: '0.8125rem',
};

import { useMediaQuery } from '@mui/material';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { LineChart } from '@mui/x-charts/LineChart';
import { axisTicks } from './axis-ticks';
import type { ChartProps, Series } from './chart';

type CanvasProps = ChartProps & { readonly height: number };

/** Draws a chart with MUI X. */
const ChartCanvas = ({ kind, times, tick, full, series, unit = '', format, height }: CanvasProps) => {
  const { palette, breakpoints } = useTheme();
  const isNarrow = useMediaQuery(breakpoints.down('sm'));
  const { axis: short, full: long } = format ?? withUnit(unit);
  const largest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const ticks = axisTicks(times, isNarrow ? 4 : 7);
  const common = {
    height,
    margin: { left: 0, right: 30, top: 8, bottom: 0 },
    grid: { horizontal: true },
    skipAnimation: true,
    hideLegend: series.length < 2,
    slotProps: { legend: { position: { vertical: 'top', horizontal: 'end' } } },
    yAxis: [
      {
        width: format ? 56 : unit ? 68 : 40,
        disableLine: true,
        disableTicks: true,
        min: 0,
        max: largest < 4 ? 4 : undefined,
        tickMinStep: 1,
        valueFormatter: short,
      },
    ],
  } as const;
  const axis = {
    data: [...times],
    valueFormatter: (time: Date, { location }: { location: string }) => (location === 'tick' ? tick : full)(time),
    tickInterval: (_: Date, index: number) => ticks.has(index),
    height: 24,
    disableTicks: true,
  };
  const all = series.map(({ name, tone, values }) => ({
    label: name,
    color: palette[tone].main,
    data: [...values],
    valueFormatter: (value: number | null) => (value === null ? '–' : long(value)),
  }));
  return kind === 'bars' ? (
    <BarChart
      {...common}
      xAxis={[{ ...axis, scaleType: 'band', categoryGapRatio: 0.3 }]}
      series={all.map((one) => ({ ...one, stack: 'all' }))}
      borderRadius={2}
    />
  ) : (
    <LineChart
      {...common}
      xAxis={[{ ...axis, scaleType: 'point' }]}
      series={all.map((one, at) => ({
        ...one,
        showMark: ({ index }: { index: number }) => isAlone(series[at], index),
        curve: 'linear' as const,
        connectNulls: false,
      }))}
    />
  );
};

function withUnit(unit: string) {
  const text = (value: number) => `${value.toLocaleString()}${unit}`;
  return { axis: text, full: text };
}

/** A value without neighbors is on no line, and visible by its mark only. */
const isAlone = ({ values }: Series, index: number) =>
  (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;

export default ChartCanvas;

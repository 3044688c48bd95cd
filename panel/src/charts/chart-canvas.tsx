import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { LineChart } from '@mui/x-charts/LineChart';
import type { ChartProps } from './chart';

const ChartCanvas = ({ kind, times, tick, series, unit = '', height }: ChartProps & { height: number }) => {
  const { palette } = useTheme();
  const largest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const common = {
    height,
    margin: { left: 0, right: 20, top: 8, bottom: 0 },
    grid: { horizontal: true },
    skipAnimation: true,
    hideLegend: series.length < 2,
    slotProps: { legend: { position: { vertical: 'top', horizontal: 'end' } } },
    yAxis: [
      { width: 36, disableLine: true, disableTicks: true, min: 0, max: largest < 4 ? 4 : undefined, tickMinStep: 1 },
    ],
  } as const;
  const axis = { data: [...times], valueFormatter: tick, height: 24, disableTicks: true };
  const all = series.map(({ name, tone, values }) => ({
    label: name,
    color: palette[tone].main,
    data: [...values],
    valueFormatter: (value: number | null) => (value === null ? '–' : `${value.toLocaleString()}${unit}`),
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
      xAxis={[{ ...axis, scaleType: 'time' }]}
      series={all.map((one) => ({ ...one, showMark: false, curve: 'linear' as const, connectNulls: false }))}
    />
  );
};

export default ChartCanvas;

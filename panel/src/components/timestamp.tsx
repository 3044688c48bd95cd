import { Box } from '@mui/material';
import { useSyncExternalStore } from 'react';
import { formatter } from '../date-format';

const EXACT = formatter({ dateStyle: 'medium', timeStyle: 'long' });
const SHORT = formatter({ dateStyle: 'medium', timeStyle: 'short' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
/** From this distance on, the date is shown. */
const RELATIVE_SECONDS = 7 * 86_400;

/** How often relative times are updated. */
const STEP_MS = 15_000;

const listeners = new Set<() => void>();
setInterval(() => listeners.forEach((listener) => listener()), STEP_MS);
const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const now = () => Math.floor(Date.now() / 1000);

function relative(seconds: number): string {
  // 59.5 minutes are an hour, not 60 minutes
  const fits = ([, size]: (typeof UNITS)[number], at: number) =>
    Math.abs(seconds) >= size - (UNITS.at(at + 1)?.[1] ?? 0) / 2;
  const [unit, size] = UNITS.find(fits) ?? UNITS[3];
  return Math.abs(seconds) < 5 ? 'just now' : RELATIVE.format(Math.round(seconds / size), unit);
}

/** The relative time beside a date. */
const BESIDE = { whiteSpace: 'nowrap', color: 'text.secondary', fontSize: '0.8125rem' };

interface TimestampProps {
  readonly at: string | null;
  /** Shows the date and the relative time. */
  readonly full?: boolean;
}

/** A time relative to now, or as a date; the exact time in a tooltip. */
export const Timestamp = ({ at, full = false }: TimestampProps) => {
  const current = useSyncExternalStore(listen, now);
  if (at === null) return <>–</>;
  const date = new Date(at);
  const seconds = date.getTime() / 1000 - current;
  const isNear = Math.abs(seconds) < RELATIVE_SECONDS;
  return (
    <Box component="time" dateTime={at} title={EXACT(date)} sx={{ whiteSpace: full ? 'normal' : 'nowrap' }}>
      {isNear && !full ? relative(seconds) : SHORT(date)}
      {isNear && full && (
        <>
          {' '}
          <Box component="span" sx={BESIDE}>{`(${relative(seconds)})`}</Box>
        </>
      )}
    </Box>
  );
};

/** A duration for display: `12 ms`, `1.4 s`, `35 s`, `4 min`; a dash if there is none. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/**
 * A duration for display: `12 ms`, `1.4 s`, `35 s`, `4 min`, `3 h`, `2 d`; a dash if there is none.
 */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

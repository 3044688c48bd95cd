const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The distances between labels that read well, of an hour's and of a day's parts, in minutes. */
const STEPS = [5, 10, 15, 30, 60, 120, 240, 360, 720, 1440, 2880];

/**
 * The indexes of the times that get a label, at even distances: at round times of the reader's
 * clock, or where there is at most one value a day, counted back from the last one.
 * @param times oldest first, at even distances
 * @param most how many labels fit below the chart
 */
export function axisTicks(times: readonly Date[], most: number): ReadonlySet<number> {
  const first = times.at(0)?.getTime() ?? 0;
  const span = (times.at(-1)?.getTime() ?? 0) - first;
  const step = STEPS.find((minutes) => span / (minutes * MINUTE_MS) <= most);
  const indexes = times.map((_, index) => index);
  if (times.length < 2 || !step || span / (times.length - 1) >= DAY_MS) {
    const every = Math.ceil(times.length / most);
    return new Set(indexes.filter((index) => (times.length - 1 - index) % every === 0));
  }
  const slotOf = (time: Date) =>
    Math.floor((time.getTime() - time.getTimezoneOffset() * MINUTE_MS) / (step * MINUTE_MS));
  return new Set(indexes.filter((index) => index > 0 && slotOf(times[index]) !== slotOf(times[index - 1])));
}

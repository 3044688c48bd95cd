import type { Figure, TextTable } from './report';
import type { Traffic } from './query-counter';

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const HEAD = ['work', 'measured', 'compared with', 'ratio', 'min–max of the rounds', 'limit', 'met'];

/** With a last column if any figure says what differs. */
export function figureTable(figures: readonly Figure[]): string {
  if (figures.every(({ difference }) => difference === undefined)) return table(HEAD, figures.map(cellsOf));
  const rows = figures.map((figure) => [...cellsOf(figure), figure.difference ?? '–']);
  return table([...HEAD, 'what differs'], rows);
}

export const textTable = ({ title, notes, head, rows }: TextTable) =>
  [`### ${title}`, notes.join('\n'), table(head, rows)].join('\n\n');

function cellsOf({ work, measured, reference, ratio, limit, isMet, disturbed }: Figure): string[] {
  const { min, max } = { ...ratio };
  const spread = min !== undefined && max !== undefined ? `${decimals(min)}–${decimals(max)}` : '–';
  const note = disturbed ? ` (disturbed rounds: ${disturbed})` : '';
  const met = isMet === undefined ? '–' : isMet ? 'yes' : '**no**';
  const middle = ratio ? decimals(ratio.median) : '–';
  return [work, measured, reference ?? '–', middle, spread, limit ?? '–', met + note];
}

const decimals = (ratio: number) => ratio.toFixed(2);

export const trafficTable = (traffic: readonly (readonly [string, Traffic])[]) =>
  table(
    ['request', 'messages to the database', 'round trips'],
    traffic.map(([request, { messages, roundTrips }]) => [request, String(messages), String(roundTrips)]),
  );

import type { Figure } from './report';
import type { Traffic } from './query-counter';

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const HEAD = ['work', 'measured', 'compared with', 'ratio', 'min–max of the rounds', 'limit', 'met'];

export const figureTable = (figures: readonly Figure[]) => table(HEAD, figures.map(cellsOf));

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

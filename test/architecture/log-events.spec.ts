import { readFileSync } from 'node:fs';
import { logCalls, logCallsIn, type LogCall } from './log-calls';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug'];
const PAGE = 'docs/log-events.md';

/** The levels of each event in the source. */
function loggedEvents(calls: readonly LogCall[]): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>();
  for (const { event = 'nameless', levels } of calls)
    events.set(event, new Set([...(events.get(event) ?? []), ...levels]));
  return events;
}

/** The rows of events in the tables of a page: event, level, when, what to do. */
const rowsIn = (markdown: string): string[][] =>
  [...markdown.matchAll(/^\| `\w+\.\w+` .*\|$/gm)].map(([row]) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

/** The levels that a cell names: `warn`, `info or warn`, `any but info`. */
function levelsIn(cell: string): Set<string> {
  const named = LEVELS.filter((level) => new RegExp(`\\b${level}\\b`).test(cell));
  return new Set(cell.startsWith('any but') ? LEVELS.filter((level) => !named.includes(level)) : named);
}

/** What differs between the source and a page, one line each. */
function differences(calls: readonly LogCall[], markdown: string): string[] {
  const logged = loggedEvents(calls);
  const rows = rowsIn(markdown);
  const names = rows.map(([event]) => event.slice(1, -1));
  const sorted = (levels: ReadonlySet<string>) => [...levels].sort().join(', ');
  return [
    ...[...logged.keys()].filter((event) => !names.includes(event)).map((event) => `${event} is missing`),
    ...names.filter((event, index) => names.indexOf(event) !== index).map((event) => `${event} occurs twice`),
    ...rows.flatMap(([, level, when, action], index) => {
      const event = names[index];
      const levels = logged.get(event);
      if (!levels) return [`${event} is not logged`];
      if (sorted(levels) !== sorted(levelsIn(level))) return [`${event} has the level ${sorted(levels)}, not ${level}`];
      return when && action ? [] : [`${event} is not explained`];
    }),
  ];
}

describe(`The events of the log in ${PAGE}`, () => {
  const page = readFileSync(PAGE, 'utf8');
  const calls = logCalls();
  const changed = (text: string) => differences([...calls, ...logCallsIn('a.ts', text)], page);

  it('are those of the source, with their levels', () => {
    expect(rowsIn(page).length).toBeGreaterThan(50);
    expect(differences(calls, page)).toEqual([]);
  });

  it('can be reached from the page for operators', () =>
    expect(readFileSync('docs/operations.md', 'utf8').includes('](log-events.md)')).toBe(true));

  it.each([
    ["log.warn({ event: 'thing.lost' }, 'Lost');", 'thing.lost is missing'],
    ["log.error({ event: 'redis.unreachable' }, 'Lost');", 'redis.unreachable has the level error, warn, not warn'],
    [
      "const level = isLate ? 'error' : 'info'; log[level]({ event: 'worker.ended' }, 'Ended');",
      'worker.ended has the level error, info, warn, not warn',
    ],
  ])('would be refused after %s', (text, message) => expect(changed(text)).toEqual([message]));

  it('would be refused if one were unknown, named twice, or not explained', () => {
    const added = (row: string) => differences(calls, `${page}\n${row}\n`);
    expect(added('| `thing.lost` | warn | it is lost | find it |')).toEqual(['thing.lost is not logged']);
    expect(added('| `worker.ended` | warn | it ended | wait |')).toEqual(['worker.ended occurs twice']);
    expect(differences(calls, page.replace(/^(\| `worker\.ended` +\| warn +\|).*$/m, '$1 | |'))).toEqual([
      'worker.ended is not explained',
    ]);
  });
});

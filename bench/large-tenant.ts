import { tokenFor } from './access-tokens';
import type { BenchDatabase } from './bench-database';
import { LARGE, type BenchRun } from './bench-run';
import { interleave } from './interleaved-rounds';
import { medianOf } from './latency-probe';
import { atMost } from './report';
import { addTenant, idOf } from './seed-data';
import { startServer } from './servers';

const MEMBERS = 10_000;
const LIMIT = 1.5;

/** The last page of the members of a large tenant against its first. */
export async function comparePages(
  { server: { folder }, options, report, say }: BenchRun,
  database: BenchDatabase,
): Promise<void> {
  const token = await tokenFor(1, await addTenant(database.superuser, LARGE, MEMBERS));
  const server = await startServer('service', { ...database.settings, WORKER: 'off' }, folder);
  const path = '/tenants/current/members';
  const page = (query: string) => () => medianOf(server.url, `${path}${query}`, token, options.seconds);
  const sides = { last: page(`?cursor=${cursorAfter(idOf(6, MEMBERS - 20))}`), first: page('') };
  await sides.first();
  const work = `p50 of the last page of ${MEMBERS} members against the first`;
  const rounds = await interleave(work, sides, { rounds: options.rounds, say });
  await server.stop();
  const ratio = rounds.ratio('last', 'first');
  report.add({
    work,
    measured: `${rounds.median('last').toFixed(2)} ms`,
    reference: `${rounds.median('first').toFixed(2)} ms`,
    ratio,
    disturbed: rounds.disturbed,
    ...atMost(LIMIT, ratio.median, ' ×'),
  });
}

const cursorAfter = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

import { Agent } from 'node:http';
import type { TextTable } from '../report';
import { median } from '../statistics';
import { PAGES, type TenantReaders } from './tenant-requests';

const PAGE_SAMPLES = 200;

/** A tenant whose pages are read. */
export interface ReadTenant {
  readonly members: number;
  readonly readers: TenantReaders;
}

/**
 * The median latency of each page for the large tenant and for a small one.
 * @param notes what the table says besides
 */
export async function pageTable(large: ReadTenant, small: ReadTenant, notes: readonly string[]): Promise<TextTable> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const rows: string[][] = [];
  for (const page of PAGES) {
    const times = { large: [] as number[], small: [] as number[] };
    for (let n = 0; n < PAGE_SAMPLES; n++) {
      times.large.push(await large.readers.read(agent, n, page));
      times.small.push(await small.readers.read(agent, n, page));
    }
    rows.push([page, median(times.large).toFixed(2), median(times.small).toFixed(2)]);
  }
  agent.destroy();
  return {
    title: 'Pages of the tenants',
    notes: ['Medians of one sequential client, in milliseconds.', ...notes],
    head: ['page', ...[large, small].map(({ members }) => `${members} members`)],
    rows,
  };
}

import { unwrap } from '@tenantry/client';
import { api } from './api';

/** As many as the API takes in one request. */
const MOST = 100;
/** The tables of a page come at about the same time. */
const GATHERING_MS = 10;

interface Batch {
  readonly ids: Set<string>;
  readonly names: Promise<ReadonlyMap<string, string>>;
}

let gathering: Batch | undefined;

/**
 * What an account or a tenant is called; null where there is none. Those that are asked for at
 * about the same time are one request.
 */
export async function lookUpName(id: string): Promise<string | null> {
  if (!gathering || gathering.ids.size === MOST) gathering = gather();
  gathering.ids.add(id);
  return (await gathering.names).get(id) ?? null;
}

function gather(): Batch {
  const ids = new Set<string>();
  return { ids, names: new Promise((resolve) => setTimeout(resolve, GATHERING_MS)).then(() => read(ids)) };
}

async function read(ids: Set<string>): Promise<ReadonlyMap<string, string>> {
  if (gathering?.ids === ids) gathering = undefined;
  const { items } = unwrap(await api.GET('/admin/names', { params: { query: { ids: [...ids].join(',') } } }));
  return new Map(items.map(({ id, name }) => [id, name]));
}

import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@tenantry/client';
import { api } from './api';

/** The most IDs that the API takes in one request. */
const MOST = 100;
/**
 * How long IDs are collected for one request: the tables of a page appear at about the same time.
 */
const COLLECTING_MS = 10;
/** How long a name is used before it is read again. */
const FRESH_MS = 60_000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Batch {
  readonly ids: Set<string>;
  readonly names: Promise<ReadonlyMap<string, string>>;
}

let collecting: Batch | undefined;

/**
 * The name of the user or tenant with an ID; undefined while it is read, null where there is none,
 * such as after it was deleted.
 */
export function useRecordName(id: string | undefined): string | null | undefined {
  const { data } = useQuery({
    queryKey: ['name', id],
    queryFn: () => lookUpName(id!),
    enabled: id !== undefined,
    staleTime: FRESH_MS,
  });
  return data;
}

/** IDs that are looked up at about the same time are one request. */
async function lookUpName(id: string): Promise<string | null> {
  if (!UUID.test(id)) return null; // one of them would have the whole request refused
  if (!collecting || collecting.ids.size === MOST) collecting = collect();
  collecting.ids.add(id);
  return (await collecting.names).get(id) ?? null;
}

function collect(): Batch {
  const ids = new Set<string>();
  return { ids, names: new Promise((resolve) => setTimeout(resolve, COLLECTING_MS)).then(() => read(ids)) };
}

async function read(ids: Set<string>): Promise<ReadonlyMap<string, string>> {
  if (collecting?.ids === ids) collecting = undefined;
  const { items } = unwrap(await api.GET('/admin/names', { params: { query: { ids: [...ids].join(',') } } }));
  return new Map(items.map(({ id, name }) => [id, name]));
}

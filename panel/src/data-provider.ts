import { ApiError, unwrap, type Answer } from '@tenantry/client';
import type { DataProvider, GetListParams, RaRecord } from 'react-admin';
import { readPage, type Page } from './cursor-pagination';
import { api } from './api';

type Row = RaRecord<string>;
/** The query of a list: its filters, by the API's names, and the page. */
type Query = Record<string, unknown>;

interface Source {
  readonly list: (query: Query) => Promise<Answer<Page<Row>>>;
  readonly one?: (id: string) => Promise<Answer<Row>>;
}

/** The endpoints of each resource. */
const SOURCES: Record<string, Source> = {
  users: {
    list: (query) => api.GET('/admin/users', { params: { query } }),
    one: (id) => api.GET('/admin/users/{id}', { params: { path: { id } } }),
  },
  tenants: {
    list: (query) => api.GET('/admin/tenants', { params: { query } }),
    one: (id) => api.GET('/admin/tenants/{id}', { params: { path: { id } } }),
  },
  'webhook-events': {
    list: (query) => api.GET('/admin/webhook-events', { params: { query } }),
    one: (id) => api.GET('/admin/webhook-events/{id}', { params: { path: { id } } }),
  },
  'webhook-endpoints': {
    list: (query) => api.GET('/admin/webhook-endpoints', { params: { query } }),
    one: (id) => api.GET('/admin/webhook-endpoints/{id}', { params: { path: { id } } }),
  },
  'webhook-deliveries': { list: (query) => api.GET('/admin/webhook-deliveries', { params: { query } }) },
  'audit-streams': {
    list: (query) => api.GET('/admin/audit-streams', { params: { query } }),
    one: (id) => api.GET('/admin/audit-streams/{id}', { params: { path: { id } } }),
  },
  jobs: {
    list: (query) => api.GET('/admin/jobs', { params: { query } }),
    one: (id) => api.GET('/admin/jobs/{id}', { params: { path: { id } } }),
  },
  'factor-resets': { list: (query) => api.GET('/admin/factor-resets', { params: { query } }) },
  'audit-log': { list: (query) => api.GET('/admin/audit-log', { params: { query } }) },
};

/** The filters of a list, by the API's names: react-admin calls a search `q`. */
export const queryOf = ({ q, ...query }: Query): Query => (q === undefined ? query : { ...query, search: q });

async function getOne(resource: string, id: string): Promise<Row> {
  const answer = await SOURCES[resource]?.one?.(id);
  if (!answer) throw new Error(`${resource} cannot be read by id`);
  return unwrap(answer);
}

async function getList(resource: string, { pagination, filter }: GetListParams) {
  const { page = 1, perPage: limit = 25 } = pagination ?? {};
  const query = { ...queryOf(filter as Query), limit };
  const list = `${resource} ${JSON.stringify(query)}`;
  const { items, nextCursor } = await readPage(list, page, async (cursor) =>
    unwrap(await SOURCES[resource].list({ ...query, cursor })),
  ).catch((error: unknown) => emptyIfMalformed(error, filter as Query));
  return { data: [...items], pageInfo: { hasNextPage: nextCursor !== null, hasPreviousPage: page > 1 } };
}

/** A malformed filter, such as an invalid ID, finds nothing. */
function emptyIfMalformed(error: unknown, filter: Query): Page<Row> {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error;
  const wrong = Object.keys(error.details ?? {});
  if (wrong.length === 0 || !wrong.every((field) => field in filter)) throw error;
  return { items: [], nextCursor: null };
}

const unused = () =>
  Promise.reject(
    new Error('Changes are operations of their own (components/use-action.ts), references are names (name-lookup.ts)'),
  );

/** The data provider of react-admin: it only reads. */
export const dataProvider = {
  getList,
  getOne: async (resource: string, { id }: { id: string }) => ({ data: await getOne(resource, id) }),
  getMany: unused,
  getManyReference: unused,
  create: unused,
  update: unused,
  updateMany: unused,
  delete: unused,
  deleteMany: unused,
} as DataProvider;

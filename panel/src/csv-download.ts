import { saveFile, unwrap, type Answer } from '@tenantry/client';
import { api } from './api';

/** The beginning of the last line of a file that does not have all rows. */
const CUT = 'Truncated after ';
/** More bytes than the last line has. */
const END_BYTES = 200;

type Query = Record<string, unknown>;

/** The export of each list. */
const EXPORTS: Record<string, (query: Query) => Promise<Answer<Response>>> = {
  users: (query) => api.download('/admin/users/export', { params: { query } }),
  tenants: (query) => api.download('/admin/tenants/export', { params: { query } }),
  'webhook-events': (query) => api.download('/admin/webhook-events/export', { params: { query } }),
  jobs: (query) => api.download('/admin/jobs/export', { params: { query } }),
  'audit-log': (query) => api.download('/admin/audit-log/export', { params: { query } }),
};

/**
 * Saves a list as a CSV file.
 * @param query the filters of the list, by the API's names
 * @returns whether the file has all rows
 * @throws ApiError
 */
export async function downloadCsv(resource: string, query: Query): Promise<boolean> {
  const response = unwrap(await EXPORTS[resource](query));
  const file = await response.blob();
  saveFile(file, response, `${resource}.csv`);
  const end = (await file.slice(-END_BYTES).text()).trimEnd().split('\n').at(-1);
  return !end?.startsWith(CUT);
}

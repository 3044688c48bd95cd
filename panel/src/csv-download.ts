import { requestFile, saveFile, unwrap } from '@tenantry/client';
import { api } from './api';

/** The beginning of the last line of a file that does not have all rows. */
const CUT = 'Truncated after ';
/** More bytes than the last line has. */
const END_BYTES = 200;

/**
 * Saves a list as a CSV file.
 * @param filter the filters of the list, by the API's names
 * @returns whether the file has all rows
 * @throws ApiError
 */
export async function downloadCsv(resource: string, filter: Record<string, unknown>): Promise<boolean> {
  const response = unwrap(await requestFile(api, `/api/v1/admin/${resource}/export?${parametersOf(filter)}`));
  const file = await response.blob();
  saveFile(file, response, `${resource}.csv`);
  const end = (await file.slice(-END_BYTES).text()).trimEnd().split('\n').at(-1);
  return !end?.startsWith(CUT);
}

const parametersOf = (filter: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (value == null || value === '' ? [] : [[name, textOf(value)]])),
  ).toString();

const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));

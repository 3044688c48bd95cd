import { ApiError, type Failure } from '@tenantry/client';
import { api } from './api';

/** The beginning of the last line of a file that does not have all rows. */
const CUT = 'Truncated after ';
/** More bytes than the last line has. */
const END_BYTES = 200;

/**
 * Saves a list as a CSV file. It is not a link: the service wants the access token in a header.
 * @param filter the filters of the list, by the API's names
 * @returns whether the file has all rows
 * @throws ApiError
 */
export async function downloadCsv(resource: string, filter: Record<string, unknown>): Promise<boolean> {
  const response = await request(`/api/v1/admin/${resource}/export?${parametersOf(filter)}`);
  if (!response.ok) throw await errorOf(response);
  const file = await response.blob();
  save(file, /filename="(.+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? `${resource}.csv`);
  const end = (await file.slice(-END_BYTES).text()).trimEnd().split('\n').at(-1);
  return !end?.startsWith(CUT);
}

async function request(address: string): Promise<Response> {
  const token = await api.session.token();
  if (!token.ok) throw new ApiError(token.error);
  return fetch(address, { headers: { Authorization: `Bearer ${token.data ?? ''}` } });
}

const parametersOf = (filter: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (value == null || value === '' ? [] : [[name, textOf(value)]])),
  ).toString();

const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));

async function errorOf(response: Response): Promise<ApiError> {
  const { error } = (await response.json()) as { error: Pick<Failure, 'code' | 'message' | 'details'> };
  const { status, headers } = response;
  const retryAfter = Number(headers.get('Retry-After')) || null;
  return new ApiError({ ...error, status, requestId: headers.get('X-Request-Id'), retryAfter });
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

import { ApiError, type Failure } from '@tenantry/client';
import { api } from '../session';
import { stepUpQuestion } from '../step-up/step-up-question';

const PATH = '/api/v1/users/me/export';
const NAME = 'account-data.json';

/**
 * Saves the user's data as a file. It is not a link: the service wants the access token in a
 * header. If the service asks for a proof of the identity, so does this page.
 * @param onProgress called with the bytes that were received
 * @throws ApiError
 */
export async function downloadData(onProgress: (bytes: number) => void): Promise<void> {
  let response = await request();
  let failure = await failureOf(response);
  if (failure?.code === 'STEP_UP_REQUIRED' && (await stepUpQuestion.ask())) {
    response = await request();
    failure = await failureOf(response);
  }
  if (failure) throw new ApiError(failure);
  const name = /filename="(.+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? NAME;
  save(await bytesOf(response, onProgress), name);
}

async function request(): Promise<Response> {
  const token = await api.session.token();
  if (!token.ok) throw new ApiError(token.error);
  try {
    return await fetch(PATH, { headers: { Authorization: `Bearer ${token.data ?? ''}` } });
  } catch {
    throw unreachable();
  }
}

async function failureOf(response: Response): Promise<Failure | undefined> {
  if (response.ok) return undefined;
  const { error } = (await response.json()) as { error: Pick<Failure, 'code' | 'message' | 'details'> };
  const { status, headers } = response;
  const retryAfter = Number(headers.get('Retry-After')) || null;
  return { ...error, status, requestId: headers.get('X-Request-Id'), retryAfter };
}

/** @throws ApiError when the connection ends before the file */
async function bytesOf(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  const parts: BlobPart[] = [];
  let received = 0;
  try {
    const reader = response.body!.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parts.push(read.value);
      received += read.value.length;
      onProgress(received);
    }
  } catch {
    throw unreachable();
  }
  return new Blob(parts, { type: 'application/json' });
}

const unreachable = () =>
  new ApiError({ code: 'UNREACHABLE', message: '', details: undefined, status: 0, requestId: null, retryAfter: null });

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

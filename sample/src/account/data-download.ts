import { ApiError, saveFile, unwrap } from '@tenantry/client';
import { api } from '../session';

const NAME = 'account-data.json';

/**
 * Saves the user's data as a file.
 * @param onProgress called with the bytes that were received
 * @throws ApiError
 */
export async function downloadData(onProgress: (bytes: number) => void): Promise<void> {
  const response = unwrap(await api.download('/users/me/export'));
  saveFile(await bytesOf(response, onProgress), response, NAME);
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
    const failure = { code: 'UNREACHABLE', message: '', status: 0, requestId: null, retryAfter: null } as const;
    throw new ApiError(failure);
  }
  return new Blob(parts, { type: 'application/json' });
}

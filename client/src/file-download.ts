import type { Answer, Failure } from './api-answer.js';
import type { Client } from './client.js';
import { failedWith } from './client-failure.js';

/**
 * Requests a file of the service. A link would not do: the service wants the access token in a
 * header.
 * @param address with the path /api/v1
 * @returns the response, whose body is the file; UNREACHABLE
 */
export async function requestFile(api: Pick<Client, 'session'>, address: string): Promise<Answer<Response>> {
  const token = await api.session.token();
  if (!token.ok) return token;
  try {
    const response = await fetch(address, { headers: { Authorization: `Bearer ${token.data ?? ''}` } });
    return response.ok ? { ok: true, data: response } : { ok: false, error: await failureOf(response) };
  } catch {
    return failedWith('UNREACHABLE', 'The service cannot be reached.');
  }
}

async function failureOf(response: Response): Promise<Failure> {
  const { error } = (await response.json()) as { error: Pick<Failure, 'code' | 'message' | 'details'> };
  const { status, headers } = response;
  const retryAfter = Number(headers.get('Retry-After')) || null;
  return { ...error, status, requestId: headers.get('X-Request-Id'), retryAfter };
}

/**
 * Has the browser save a file.
 * @param response of which the file is the body; it may name the file
 * @param name the name otherwise
 */
export function saveFile(file: Blob, { headers }: Response, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = /filename="(.+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? name;
  link.click();
  URL.revokeObjectURL(link.href);
}

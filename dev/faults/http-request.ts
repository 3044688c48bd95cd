import { request } from 'node:http';

export interface Request {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Without a body the request is a GET. */
  readonly body?: string;
}

/**
 * Sends a request over a new connection. Over a keep-alive connection it would be lost if the
 * server closed the connection at that moment, which HTTP allows.
 * @throws if there is no response in time
 */
export function sendRequest(
  { url, headers, body }: Request,
  timeoutMs: number,
): Promise<{ status: number; text: string }> {
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    agent: false as const,
    signal: AbortSignal.timeout(timeoutMs),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode!, text: Buffer.concat(parts).toString() }));
    });
    sent.on('error', reject).end(body);
  });
}

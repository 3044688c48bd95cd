import { request } from 'node:http';

export interface Request {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** None: a GET. */
  readonly body?: string;
}

/**
 * Asks over a connection of its own: a request that is sent over a kept one while the server closes
 * that is lost by how HTTP is made.
 * @throws where there is no answer in time
 */
export function sendRequest(
  { url, headers, body }: Request,
  patienceMs: number,
): Promise<{ status: number; text: string }> {
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    agent: false as const,
    signal: AbortSignal.timeout(patienceMs),
  };
  return new Promise((resolve, reject) => {
    const asking = request(url, options, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode!, text: Buffer.concat(parts).toString() }));
    });
    asking.on('error', reject).end(body);
  });
}

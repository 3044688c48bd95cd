import { deepStrictEqual } from 'node:assert';
import { decode } from 'jsonwebtoken';
import type { BenchServer } from './servers';

/** A request whose answers are compared. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly token?: string;
}

/**
 * Checks that service and baseline answer a request with the same data, because a baseline that
 * does less would prove nothing. Of an access token the claims are compared.
 */
export async function assertSameAnswers(asked: Asked, servers: readonly BenchServer[]): Promise<void> {
  const [answer, ...others] = await Promise.all(servers.map(({ url }) => answerOf(url, asked)));
  for (const other of others) deepStrictEqual(other, answer, `the answers to ${asked.method} ${asked.path} differ`);
}

async function answerOf(url: string, { method, path, body, token }: Asked): Promise<object> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${method} ${path} returned ${response.status}`);
  const { data } = (await response.json()) as { data: { accessToken?: string } };
  return data.accessToken ? withoutSecrets({ ...data, accessToken: data.accessToken }) : data;
}

/** The claims in place of the access token, without what is new in every token. */
function withoutSecrets(data: { readonly accessToken: string }): object {
  const { jti, iat, exp, ...claims } = decode(data.accessToken) as Record<string, unknown>;
  const fresh = { jti: typeof jti, seconds: Number(exp) - Number(iat) };
  return { ...data, accessToken: { ...claims, ...fresh }, refreshToken: 'new' };
}

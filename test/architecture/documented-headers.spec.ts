import { readFileSync } from 'node:fs';
import { resolve, type ApiDocument, type Operation, type Response } from '../../dev/api-document-model';

type Described = Response & { readonly headers?: object; readonly description?: string };

const document = JSON.parse(readFileSync('client/openapi.json', 'utf8')) as ApiDocument;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, operation })),
);
const responses = operations.flatMap(({ name, method, operation }) =>
  Object.entries(operation.responses).map(([status, declared]) => {
    const response: Described = resolve(document.components.responses, declared);
    return { name: `${name} ${status}`, method, status, operation, response };
  }),
);
const isSuccess = (status: string) => /^[23]/.test(status);
const declares = ({ response }: { response: Described }, header: string) => header in (response.headers ?? {});
/** The names of the responses that declare a header. */
const declaring = (header: string) => responses.filter((one) => declares(one, header)).map(({ name }) => name);
const named = (wanted: (response: (typeof responses)[number]) => boolean) =>
  responses.filter(wanted).map(({ name }) => name);
const reading = (header: string) =>
  operations
    .filter(({ operation: { parameters = [] } }) =>
      parameters.some((parameter) => {
        const { name, in: place } = resolve(document.components.parameters, parameter);
        return name === header && place === 'header';
      }),
    )
    .map(({ name }) => name);
/** Whether the text of a response, or of a schema that it refers to, names a refresh token. */
const hasRefreshToken = (value: object, seen = new Set<string>()): boolean => {
  const text = JSON.stringify(value);
  if (/"refreshToken"|#refreshToken/.test(text)) return true;
  return [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].some(([, name]) => {
    if (seen.has(name)) return false;
    seen.add(name);
    return hasRefreshToken(document.components.schemas![name], seen);
  });
};
/** In a response, or in the fragment of a redirect, as the description says. */
const issuesTokens = ({ description = '', responses: all }: Operation & { readonly description?: string }) =>
  description.includes('#refreshToken') ||
  Object.values(all).some((response) => hasRefreshToken(resolve(document.components.responses, response)));

describe('The API document declares', () => {
  it('X-Request-Id of every response', () =>
    expect(declaring('X-Request-Id')).toEqual(responses.map(({ name }) => name)));

  it('Retry-After of failures that pass', () =>
    expect(declaring('Retry-After')).toEqual(
      named(
        ({ status, response }) =>
          ['429', '503', 'default'].includes(status) || response.description!.includes('IDEMPOTENCY_IN_PROGRESS'),
      ),
    ));

  it('X-Read-After of requests that read, and of successes and other own responses of those that write', () => {
    expect(reading('X-Read-After')).toEqual(operations.flatMap(({ name, method }) => (method === 'get' ? [name] : [])));
    const successes = named(({ method, status }) => method !== 'get' && (isSuccess(status) || status === 'default'));
    expect(declaring('X-Read-After')).toEqual(expect.arrayContaining(successes));
    expect(declaring('X-Read-After')).toContain('post /api/v1/auth/login 401');
    expect(declaring('X-Read-After').filter((name) => name.startsWith('get '))).toEqual([]);
  });

  it('Idempotency-Replayed of the successes of writes with a key, and of what they refuse', () => {
    const keyed = new Set(reading('Idempotency-Key').filter((name) => name !== 'post /api/v1/auth/refresh'));
    const successes = responses.filter(({ status }) => isSuccess(status));
    const replayed = successes.filter((one) => declares(one, 'Idempotency-Replayed')).map(({ name }) => name);
    expect(replayed.map((name) => name.replace(/ \d+$/, '')).sort()).toEqual([...keyed].sort());
    const statuses = responses.filter((one) => declares(one, 'Idempotency-Replayed')).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual(['200', '201', '400', '402', '403', '404', '409']);
  });

  it('X-Session and Set-Cookie of everything that returns a refresh token', () => {
    const issuing = operations.filter(({ operation }) => issuesTokens(operation)).map(({ name }) => name);
    expect(issuing.length).toBeGreaterThanOrEqual(12);
    // the others set web_session, on which the next emailed link depends, or clear the cookie
    const others = ['post /api/v1/auth/logout', 'post /api/v1/auth/magic-link/request', 'post /api/v1/auth/register'];
    expect(reading('X-Session').sort()).toEqual([...issuing, ...others].sort());
    const cookies = declaring('Set-Cookie');
    for (const name of issuing) expect(cookies.filter((one) => one.startsWith(`${name} `))).not.toEqual([]);
    expect(cookies.filter((name) => !issuing.some((one) => name.startsWith(`${one} `)))).toEqual([
      'post /api/v1/auth/logout 200',
      'post /api/v1/auth/magic-link/request 200',
      'get /api/v1/auth/google 302',
      'get /api/v1/auth/github 302',
      'post /api/v1/auth/register 201',
    ]);
  });

  it('WWW-Authenticate of refusals that ask for a fresh proof of the identity', () =>
    expect(declaring('WWW-Authenticate')).toEqual(
      named(({ status, operation }) => status === '403' && 'x-fresh-minutes' in operation),
    ));

  it('Location of redirects, and the name of files', () => {
    expect(declaring('Location')).toEqual(named(({ status }) => status === '302'));
    expect(declaring('Content-Disposition')).toEqual(
      named(({ name, status }) => status === '200' && /^get \S+\/export 200$/.test(name)),
    );
  });
});

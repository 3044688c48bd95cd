import { readFileSync } from 'node:fs';

interface Reference {
  readonly $ref?: string;
}
interface Operation {
  readonly parameters?: readonly Reference[];
  readonly responses: Readonly<Record<string, Reference>>;
}

const WRITES = ['post', 'put', 'patch', 'delete'];
/** Writes that ignore the header: their answers have tokens or cookies, or they are webhooks. */
const WITHOUT_KEY = [
  'post /api/v1/admin/users/{id}/impersonate',
  'post /api/v1/auth/login',
  'post /api/v1/auth/logout',
  'post /api/v1/auth/magic-link/code',
  'post /api/v1/auth/magic-link/request',
  'post /api/v1/auth/magic-link/verify',
  'post /api/v1/auth/passkey',
  'post /api/v1/auth/refresh',
  'post /api/v1/auth/second-factor',
  'post /api/v1/auth/switch-tenant',
  'post /api/v1/auth/verify-email',
  'post /api/v1/invitations/register',
  'post /api/v1/leaks/github',
  'post /api/v1/webhooks/processor',
  'post /api/v1/webhooks/stripe',
];

describe('the header Idempotency-Key', () => {
  const document = JSON.parse(readFileSync('client/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
    components: Record<string, Record<string, object>>;
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, operation })),
  );
  const isKeyed = ({ parameters = [] }: Operation) =>
    parameters.some(({ $ref }) => $ref === '#/components/parameters/Idempotency-Key');
  /** Whether the text of a response, or of a schema that it refers to, names a token. */
  const hasToken = ({ $ref }: Reference): boolean => {
    if ($ref === undefined) return false;
    const [kind, name] = $ref.split('/').slice(-2);
    const text = JSON.stringify(document.components[kind][name]);
    if (/"(accessToken|refreshToken)"/.test(text)) return true;
    return [...text.matchAll(/"\$ref":"([^"]+)"/g)].some(([, inner]) => inner !== $ref && hasToken({ $ref: inner }));
  };

  it('is accepted by every write, except those that are listed here', () => {
    const without = operations.filter(({ method, operation }) => WRITES.includes(method) && !isKeyed(operation));
    expect(without.map(({ name }) => name).sort()).toEqual(WITHOUT_KEY);
    expect(operations.filter(({ method, operation }) => method === 'get' && isKeyed(operation))).toEqual([]);
  });

  it('is ignored by every write whose answer has a token, so that no token is stored', () => {
    const withToken = operations.filter(({ operation }) => Object.values(operation.responses).some(hasToken));
    expect(withToken.length).toBeGreaterThanOrEqual(9);
    expect(withToken.filter(({ operation }) => isKeyed(operation)).map(({ name }) => name)).toEqual([]);
  });
});

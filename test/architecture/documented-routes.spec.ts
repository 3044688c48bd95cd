import { readFileSync } from 'node:fs';

interface Operation {
  readonly description?: string;
  readonly security?: readonly object[];
  readonly responses: Record<string, { readonly description?: string; readonly $ref?: string }>;
  readonly 'x-redirect-error-codes'?: readonly string[];
}
interface ApiDocument {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly responses: Record<string, { readonly description: string }> };
}

/** A row of a table of operations. */
interface Row {
  readonly routes: readonly string[];
  readonly access: string | undefined;
  readonly codes: readonly string[];
}

const api = JSON.parse(readFileSync('client/openapi.json', 'utf8')) as ApiDocument;
const contract = readFileSync('docs/contract.md', 'utf8');
const METHOD = 'GET|POST|PUT|PATCH|DELETE';

/** `GET and POST /a, GET /a/{id}` as single routes. A path without a method has that before it. */
function routesIn(cell: string): string[] {
  const routes: string[] = [];
  let [methods, path, isComplete]: [string[], string, boolean] = [[], '', false];
  const add = () => methods.forEach((method) => routes.push(`${method} ${path.replace(/\{\w+\}/g, '{}')}`));
  for (const [word] of cell.matchAll(new RegExp(`\\b(${METHOD})\\b|(?<![\\w}])/[\\w/{}.-]+`, 'g'))) {
    if (word.startsWith('/')) {
      path = word;
      add();
    } else methods = isComplete ? [word] : [...methods, word];
    isComplete = word.startsWith('/');
  }
  if (!isComplete) add(); // `GET /a, POST with the token`
  return routes;
}

/** The rows of the tables whose first column is `operation`. */
function rowsIn(markdown: string): Row[] {
  return (markdown.match(/(^\|.*\n?)+/gm) ?? []).flatMap((table) => {
    const [heading, , ...rows] = table
      .trim()
      .split('\n')
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    if (heading[0] !== 'operation') return [];
    return rows.map((cells) => ({
      routes: routesIn(cells[0]),
      access: heading[1] === 'access' ? cells[1] : undefined,
      codes: [...cells.join(' ').matchAll(/`([A-Z]+(_[A-Z]+)+|CONFLICT|FORBIDDEN)`/g)].map(([, code]) => code),
    }));
  });
}

const operations = new Map(
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '').replace(/\{\w+\}/g, '{}')}`,
      operation,
    ]),
  ),
);

function codesOf({ responses, ...operation }: Operation): string[] {
  const described = Object.values(responses).map(({ $ref, description }) =>
    $ref ? api.components.responses[$ref.split('/').at(-1)!].description : description,
  );
  return [...(described.join(' ').match(/[A-Z]+(_[A-Z]+)*/g) ?? []), ...(operation['x-redirect-error-codes'] ?? [])];
}

/** Who may use an operation, in the words of the contract. */
function accessOf({ description = '', security }: Operation): string {
  const [, needed] = /\brequires (tenant\.[\w.-]+\w|Owner|global admin)/i.exec(description) ?? [];
  if (needed) return needed.replace('tenant.', '').replace('global ', '');
  return security && security.length === 0 ? 'public' : 'signed in';
}

/** `projects.read / .manage` as the permissions that it names; others are one word. */
function allowedBy(access: string): string[] {
  const names: string[] = access.match(/[a-z-]+\.[a-z-]+/g) ?? [];
  if (names.length === 0) return [access.split(',')[0]];
  const endings = access.match(/(?<=\/ )\.[a-z]+/g) ?? [];
  return [...names, ...endings.map((ending) => names[0].replace(/\..*/, ending))];
}

/** What a row says about operations and the API document does not. */
function contradictions({ routes, access, codes }: Row): string[] {
  const known = routes.flatMap((route) => operations.get(route) ?? []);
  const missing = routes.filter((route) => !operations.has(route)).map((route) => `${route} does not exist`);
  const documented = known.flatMap(codesOf);
  const undocumented = codes.filter((code) => !documented.includes(code));
  const actual = [...new Set(known.map(accessOf))].sort();
  const isAllowed = access === undefined || known.length === 0 || allowedBy(access).sort().join() === actual.join();
  return [
    ...missing,
    ...undocumented.map((code) => `${routes.join(', ')} cannot answer ${code}`),
    ...(isAllowed ? [] : [`${routes.join(', ')}: ${access}, but the API document says ${actual.join(', ')}`]),
  ];
}

// The API document lists every route. The contract names those of which it decides something.
describe('The tables of operations in docs/contract.md', () => {
  const rows = rowsIn(contract);

  it('name routes, access and error codes as the API document does', () => {
    expect(rows.flatMap(({ routes }) => routes).length).toBeGreaterThan(80);
    expect(rows.flatMap(contradictions)).toEqual([]);
  });

  it('can say once that every route below /admin requires an admin', () => {
    const admin = [...operations].filter(([route]) => route.includes(' /admin/'));
    expect(admin.length).toBeGreaterThan(20);
    expect(admin.filter(([, operation]) => accessOf(operation) !== 'admin').map(([route]) => route)).toEqual([]);
  });

  it.each([
    [
      'GET and POST /a, GET, PATCH and DELETE /a/{id}',
      ['GET /a', 'POST /a', 'GET /a/{}', 'PATCH /a/{}', 'DELETE /a/{}'],
    ],
    ['POST /a/b {reason?}, /a/c', ['POST /a/b', 'POST /a/c']],
    ['GET /a?token=, POST with the token', ['GET /a', 'POST /a']],
  ])('may be written as %s', (cell, routes) => expect(routesIn(cell)).toEqual(routes));

  it.each([
    ['| GET /tenants/none | signed in | |', 'GET /tenants/none does not exist'],
    ['| GET /tenants | signed in | 409 `CONFLICT` |', 'GET /tenants cannot answer CONFLICT'],
    ['| GET /tenants | public | |', 'GET /tenants: public, but the API document says signed in'],
    [
      '| GET and POST /tenants/current/projects | projects.read | |',
      'GET /tenants/current/projects, POST /tenants/current/projects: projects.read, ' +
        'but the API document says projects.manage, projects.read',
    ],
  ])('would be refused with the row %s', (row, complaint) =>
    expect(rowsIn(`| operation | access | notes |\n|---|---|---|\n${row}\n`).flatMap(contradictions)).toEqual([
      complaint,
    ]),
  );
});

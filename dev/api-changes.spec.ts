import { breakingChanges, unannounced } from './api-changes';

const document = {
  paths: {
    '/api/v1/things': {
      post: {
        operationId: 'createThing',
        security: [],
        parameters: [
          { $ref: '#/components/parameters/limit' },
          { name: 'sort', in: 'query', schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingBody' } } },
        },
        responses: {
          '200': { $ref: '#/components/responses/ThingOk' },
          '409': { $ref: '#/components/responses/Taken' },
        },
      },
    },
  },
  components: {
    parameters: { limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } },
    responses: {
      ThingOk: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingView' } } } },
      Taken: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                error: { type: 'object', properties: { code: { type: 'string', enum: ['NAME_TAKEN', 'CONFLICT'] } } },
              },
            },
          },
        },
      },
    },
    schemas: {
      ThingBody: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, color: { type: 'string', enum: ['red', 'blue'] } },
      },
      ThingView: {
        type: 'object',
        required: ['id', 'state'],
        properties: {
          id: { type: 'string' },
          state: { type: 'string', enum: ['new', 'old'] },
          parent: { anyOf: [{ $ref: '#/components/schemas/ThingView' }, { type: 'null' }] },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};

type Change = (changed: any) => void; // eslint-disable-line @typescript-eslint/no-explicit-any

function changesAfter(change: Change): string[] {
  const changed = structuredClone(document);
  change(changed);
  return breakingChanges(document, changed);
}

const body = 'POST /api/v1/things: body';
const success = 'POST /api/v1/things: response 200';

describe('a change of the API document', () => {
  it.each<[string, Change, string]>([
    ['a removed path', (d) => delete d.paths['/api/v1/things'], 'POST /api/v1/things: removed'],
    ['a removed operation', (d) => delete d.paths['/api/v1/things'].post, 'POST /api/v1/things: removed'],
    [
      'another operationId',
      (d) => (d.paths['/api/v1/things'].post.operationId = 'makeThing'),
      'POST /api/v1/things: operationId createThing is now makeThing',
    ],
    [
      'a removed parameter',
      (d) => d.paths['/api/v1/things'].post.parameters.pop(),
      'POST /api/v1/things: parameter sort is removed',
    ],
    [
      'a parameter that is now required',
      (d) => (d.components.parameters.limit.required = true),
      'POST /api/v1/things: parameter limit is now required',
    ],
    [
      'a new required parameter',
      (d) => d.paths['/api/v1/things'].post.parameters.push({ name: 'x', in: 'header', required: true }),
      'POST /api/v1/things: parameter x is new and required',
    ],
    [
      'a new required property of a body',
      (d) => {
        d.components.schemas.ThingBody.properties.size = { type: 'integer' };
        d.components.schemas.ThingBody.required.push('size');
      },
      `${body}.size is new and required`,
    ],
    [
      'a property of a body that is now required',
      (d) => d.components.schemas.ThingBody.required.push('color'),
      `${body}.color is now required`,
    ],
    [
      'a value that a body may no longer have',
      (d) => d.components.schemas.ThingBody.properties.color.enum.pop(),
      `${body}.color: blue is removed`,
    ],
    [
      'a tighter bound of a body',
      (d) => (d.components.schemas.ThingBody.properties.name.maxLength = 10),
      `${body}.name: maxLength is now 10`,
    ],
    [
      'a format that a body must now have',
      (d) => (d.components.schemas.ThingBody.properties.name.format = 'uuid'),
      `${body}.name: format is now uuid`,
    ],
    [
      'a public operation that needs a token',
      (d) => delete d.paths['/api/v1/things'].post.security,
      'POST /api/v1/things: now requires authentication',
    ],
    ['a removed response', (d) => delete d.paths['/api/v1/things'].post.responses['200'], `${success} is removed`],
    [
      'a removed property of a response',
      (d) => delete d.components.schemas.ThingView.properties.id,
      `${success}.id is removed`,
    ],
    [
      'a property of a response that is now optional',
      (d) => d.components.schemas.ThingView.required.pop(),
      `${success}.state is now optional`,
    ],
    [
      'a property of a response with another type',
      (d) => (d.components.schemas.ThingView.properties.id.type = 'integer'),
      `${success}.id was string, is integer`,
    ],
    [
      'items of another type',
      (d) => (d.components.schemas.ThingView.properties.tags.items.type = 'object'),
      `${success}.tags[] was string, is object`,
    ],
    [
      'a removed error code',
      (d) =>
        d.components.responses.Taken.content['application/json'].schema.properties.error.properties.code.enum.shift(),
      'POST /api/v1/things: response 409.error.code: NAME_TAKEN is removed',
    ],
  ])('that breaks a client is found: %s', (_what, change, expected) => {
    expect(changesAfter(change)).toEqual([expected]);
  });

  it.each<[string, Change]>([
    ['nothing', () => undefined],
    ['another operation', (d) => (d.paths['/api/v1/other'] = { get: { responses: {} } })],
    ['an optional property of a body', (d) => (d.components.schemas.ThingBody.properties.size = { type: 'integer' })],
    ['another value for a body', (d) => d.components.schemas.ThingBody.properties.color.enum.push('green')],
    ['another value in a response', (d) => d.components.schemas.ThingView.properties.state.enum.push('lost')],
    ['another property of a response', (d) => (d.components.schemas.ThingView.properties.size = { type: 'integer' })],
    [
      'another error code',
      (d) =>
        d.components.responses.Taken.content['application/json'].schema.properties.error.properties.code.enum.push('X'),
    ],
    ['a wider bound of a response', (d) => (d.components.schemas.ThingView.properties.id.maxLength = 10)],
    [
      'an error schema that its responses share and narrow',
      (d) => {
        const error = d.components.responses.Taken.content['application/json'].schema.properties;
        d.components.schemas.Error = { type: 'object', properties: { code: { type: 'string' } } };
        const narrowed = { properties: { code: { enum: error.error.properties.code.enum } } };
        error.error = { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] };
      },
    ],
    [
      'variants of a view by one of its properties',
      (d) => {
        const { ThingView } = d.components.schemas;
        const variant = (state: string) => ({
          allOf: [{ $ref: '#/components/schemas/ThingBase' }, { properties: { state: { enum: [state] } } }],
        });
        d.components.schemas.ThingBase = { ...ThingView };
        d.components.schemas.ThingView = {
          oneOf: [variant('new'), variant('old')],
          discriminator: { propertyName: 'state' },
        };
      },
    ],
    ['another description', (d) => (d.components.schemas.ThingView.description = 'A thing')],
  ])('that breaks no client is not: %s', (_what, change) => {
    expect(changesAfter(change)).toEqual([]);
  });
});

describe('a change of a view with variants', () => {
  const variant = (kind: string, size: object) => ({
    properties: { kind: { enum: [kind] }, size },
    required: ['kind'],
  });
  const documentWith = (...variants: object[]): typeof document => {
    const changed = structuredClone(document);
    const schema = { oneOf: variants, discriminator: { propertyName: 'kind' } };
    return Object.assign(changed, {
      components: { ...changed.components, schemas: { ...changed.components.schemas, ThingView: schema } },
    });
  };
  const round = variant('round', { type: 'integer' });
  const square = variant('square', { type: 'string' });

  it('is compared with the variant of the same value', () => {
    expect(breakingChanges(documentWith(round, square), documentWith(square, round))).toEqual([]);
    const other = variant('round', { type: 'string' });
    expect(breakingChanges(documentWith(round, square), documentWith(square, other))).toEqual([
      `${success}.size was integer, is string`,
    ]);
  });

  it('may add a variant, and no longer send one', () => {
    expect(breakingChanges(documentWith(round), documentWith(round, square))).toEqual([]);
    expect(breakingChanges(documentWith(round, square), documentWith(round))).toEqual([]);
  });

  it('breaks clients if it removes the variants with their properties', () => {
    expect(breakingChanges(documentWith(round), document)).toEqual([
      `${success}.kind is removed`,
      `${success}.size is removed`,
    ]);
  });
});

describe('a change of variants that no property tells apart', () => {
  const documentWith = (...variants: object[]): typeof document => {
    const changed = structuredClone(document);
    return Object.assign(changed, {
      components: { ...changed.components, schemas: { ...changed.components.schemas, ThingView: { oneOf: variants } } },
    });
  };
  const pair = { properties: { token: { type: 'string' } }, required: ['token'] };
  const ticket = { properties: { ticket: { type: 'string' } }, required: ['ticket'] };

  it('is compared with the variant at the same place', () => {
    expect(breakingChanges(documentWith(pair, ticket), documentWith(pair, ticket))).toEqual([]);
    expect(breakingChanges(documentWith(pair, ticket), documentWith(pair, { properties: {} }))).toEqual([
      `${success}.ticket is removed`,
    ]);
  });
});

describe('a header of a response', () => {
  const documentWith = (headers: object) => {
    const changed = structuredClone(document);
    Object.assign(changed.components.responses.ThingOk, { headers });
    return changed;
  };
  const retry = { 'Retry-After': { schema: { type: 'integer' } } };

  it('breaks clients if it is removed, and not if it is added', () => {
    expect(breakingChanges(documentWith(retry), documentWith({}))).toEqual([
      `${success}: header Retry-After is removed`,
    ]);
    expect(breakingChanges(documentWith({}), documentWith(retry))).toEqual([]);
  });
});

describe('a breaking change', () => {
  const changelog = (text: string) => `# Changelog\n\n## [Unreleased]\n\n${text}\n\n## [1.0.0]\n\n### Breaking\n\n- x`;
  const change = 'POST /api/v1/things: body.name is removed';

  it('is announced by the name of its operation under Breaking', () => {
    expect(unannounced([change], changelog('### Breaking\n\n- `POST /things` takes no name.'))).toEqual([]);
  });

  it.each([
    ['nowhere', '### Added\n\n- y'],
    ['under another heading', '### Added\n\n- `POST /things`'],
    ['by a longer path', '### Breaking\n\n- `POST /things/{id}`'],
  ])('is not announced if it is named %s', (_where, text) => {
    expect(unannounced([change], changelog(text))).toEqual([change]);
  });
});

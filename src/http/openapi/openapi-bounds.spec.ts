import type { OpenAPIObject } from '@nestjs/swagger';
import { longestMatch, withBounds as withDefaultBounds } from './openapi-bounds';
import { withBounds } from './validation-bounds';

describe('The bounds in the API document', () => {
  it.each([
    [{ type: 'string' }, 'isLength', [2, 5], { type: 'string', minLength: 2, maxLength: 5 }],
    [{ type: String, maxLength: 3 }, 'maxLength', [5], { type: String, maxLength: 3 }],
    [{ type: 'integer' }, 'max', [9], { type: 'integer', maximum: 9 }],
    [{ type: [String] }, 'arrayMaxSize', [4], { type: [String], maxItems: 4 }],
    [{ type: String }, 'arrayMaxSize', [4], { type: String }],
    [{ type: String, enum: ['a'] }, 'maxLength', [5], { type: String, enum: ['a'] }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'maxLength', [5], undefined],
    [{ type: String }, 'isName', [], { type: String }],
  ])('of %j are those of the rule %s with %j', (described, name, constraints, expected) => {
    const nullable = { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] };
    expect(withBounds(described, [{ name, constraints }])).toEqual(expected ?? nullable);
  });

  it.each([
    ['^[0-9]{6}$', 6],
    ['^[0-9A-F]{1,8}[/][0-9A-F]{1,8}$', 17],
    ['^in_\\w{4}$', 7],
    ['^a+$', undefined],
    ['^a|bc$', undefined],
    ['[0-9]{6}', undefined],
    [undefined, undefined],
  ])('of a text with the pattern %s are those of its longest match, %s', (pattern, length) => {
    expect(longestMatch(pattern)).toBe(length);
  });

  const schemas = {
    Sent: {
      properties: { text: { type: 'string' }, items: { type: 'array' }, id: { type: 'string', format: 'uuid' } },
    },
    Received: {
      properties: {
        text: { type: 'string' },
        items: { type: 'array' },
        count: { type: 'integer', minimum: 0, maximum: 9 },
      },
    },
  };
  const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  const paths = {
    '/things': {
      post: {
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
        requestBody: { content: content('Received') },
        responses: { 200: { content: { ...content('Sent'), 'text/csv': { schema: { type: 'string' } } } } },
      },
    },
  };

  it('are those of all bodies, addresses and responses where a schema has none', () => {
    const { components, paths: bounded } = withDefaultBounds({
      paths,
      components: { schemas },
    } as unknown as OpenAPIObject);
    expect(components?.schemas).toEqual({
      Sent: {
        properties: {
          text: { type: 'string', maxLength: 2 ** 20 },
          items: { type: 'array', maxItems: 1000 },
          id: { type: 'string', format: 'uuid', maxLength: 36 },
        },
      },
      Received: {
        properties: {
          text: { type: 'string', maxLength: 102_400 },
          items: { type: 'array', maxItems: 200 },
          count: { type: 'integer', minimum: 0, maximum: 9, format: 'int32' },
        },
      },
    });
    const { parameters, responses } = bounded['/things'].post!;
    expect(parameters).toEqual([{ name: 'q', in: 'query', schema: { type: 'string', maxLength: 16_384 } }]);
    expect(responses[200]).toMatchObject({ content: { 'text/csv': { schema: { type: 'string' } } } });
  });

  it('are not lost where the document has them already', () => {
    const once = withDefaultBounds({ paths, components: { schemas } } as unknown as OpenAPIObject);
    expect(withDefaultBounds(once)).toEqual(once);
  });
});

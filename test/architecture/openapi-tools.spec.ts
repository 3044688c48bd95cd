import { validate } from '@apidevtools/swagger-parser';
import { readFileSync } from 'node:fs';
import { InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

const text = readFileSync('client/openapi.json', 'utf8');
const readDocument = () => JSON.parse(text) as Parameters<typeof validate>[0] & ApiDocument;

interface ApiDocument {
  readonly paths: Record<string, { get?: { responses: Record<string, object> } }>;
  readonly components: { readonly schemas: Record<string, object> };
}

/** The types that a generator makes from all schemas of the document, one text per language. */
async function typesIn(language: 'go' | 'python'): Promise<string> {
  const { schemas } = readDocument().components;
  const input = new JSONSchemaInput(undefined);
  const references = Object.keys(schemas).map((name) => [name, { $ref: `#/definitions/${name}` }]);
  const definitions: unknown = JSON.parse(
    JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/'),
  );
  const schema = JSON.stringify({ definitions, type: 'object', properties: Object.fromEntries(references) as object });
  await input.addSource({ name: 'Api', schema });
  const inputData = new InputData();
  inputData.addInput(input);
  return (await quicktype({ inputData, lang: language })).lines.join('\n');
}

describe('the committed API document', () => {
  it('is valid for another validator than that of the linter', async () => {
    await expect(validate(readDocument())).resolves.toHaveProperty('openapi', '3.1.0');
  });

  it('would be refused by that validator with a mistake', async () => {
    const broken = readDocument();
    broken.paths['/api/v1/auth/me'].get!.responses = { 200: { $ref: '#/components/responses/Missing' } };
    await expect(validate(broken)).rejects.toThrow('Missing');
  });

  it.each([
    ['go', ['type TokenPair struct', 'AccessToken', 'RefreshToken']],
    ['python', ['class TokenPair', 'access_token: str', 'class NotificationView']],
  ] as const)('generates types in %s', async (language, expected) => {
    const types = await typesIn(language);
    expect(expected.filter((part) => !types.includes(part))).toEqual([]);
  });
});

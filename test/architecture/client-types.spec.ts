import { spawnSync } from 'node:child_process';
import { TestApp } from '../support/app';

describe("the committed API document and the typed client's types", () => {
  interface Content {
    content: Record<string, { example: { error: { message: string } } }>;
  }
  let document: { paths: Record<string, object>; components: { responses: Record<string, Content> } };
  beforeAll(async () => {
    const t = await TestApp.start({ env: { WORKER: 'off' } });
    document = (await t.http.get('/openapi.json').expect(200)).body;
    await t.close();
  });

  const check = (source: object) =>
    spawnSync(process.execPath, ['client/generate.mjs', '--check'], {
      input: JSON.stringify(source),
      encoding: 'utf8',
    });

  it('match the API document of the service', () => {
    expect(check(document)).toMatchObject({ status: 0, stderr: '' });
  });

  it('are refused if an operation is missing', () => {
    const changed = structuredClone(document);
    delete changed.paths['/api/v1/auth/me'];
    const { status, stderr } = check(changed);
    expect(status).toBe(1);
    expect(stderr).toContain('client/src/schema.ts does not match the API document. Run `npm run client:types`.');
    expect(stderr).toContain('client/openapi.json does not match the API document.');
  });

  it('are refused if only an example differs', () => {
    const changed = structuredClone(document);
    changed.components.responses.NotFound.content['application/json'].example.error.message = 'Gone.';
    const { status, stderr } = check(changed);
    expect(status).toBe(1);
    expect(stderr).toContain('client/openapi.json');
  });
});

import { spawnSync } from 'node:child_process';
import { TestApp } from '../support/app';

describe("the typed client's types", () => {
  let document: { paths: Record<string, object> };
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

  it('are what the API document says', () => {
    expect(check(document)).toMatchObject({ status: 0, stderr: '' });
  });

  it('are missed when the document says something else', () => {
    const changed = structuredClone(document);
    delete changed.paths['/api/v1/auth/me'];
    expect(check(changed)).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run client:types') });
  });
});

import { readFileSync } from 'node:fs';
import { trackedFiles } from './source-files';

/** A statement that sets a variable of the scope for a transaction. */
const SETS_SCOPE = /SET LOCAL app\.|set_config\('app\./i;

describe('The scope of a tenant', () => {
  it('is set by the statements of one file', () => {
    const files = trackedFiles('src', 'dev', 'bench', 'test').filter((file) => file.endsWith('.ts'));
    const setting = files.filter((file) => SETS_SCOPE.test(readFileSync(file, 'utf8')));
    expect(setting).toEqual(['src/platform/database/set-tenant-scope.ts']);
  });
});

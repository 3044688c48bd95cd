import { readFileSync } from 'node:fs';
import { trackedFiles } from './source-files';

const sources = trackedFiles('src');

describe('the audit log', () => {
  it('is written by its repository, by the statement of a sign-in and by the command line only', () => {
    const writers = sources.filter((file) => /INSERT\s+INTO\s+audit_log/i.test(readFileSync(file, 'utf8')));
    // docs/decisions/0007-roles-owners-invitations.md gives the reasons
    expect(writers).toEqual([
      'src/audit/data/audit-log.repository.ts',
      'src/auth/data/session.statements.ts',
      'src/set-admin.ts',
    ]);
  });
});

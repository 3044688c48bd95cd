import { readFileSync } from 'node:fs';
import { trackedFiles } from './source-files';

const sources = trackedFiles('src');

/** SQL, or TypeORM for the entity. */
const WRITES = /INSERT\s+INTO\s+audit_log|\b(super|getRepository|insert|into)\(AuditEntry\b/i;

describe('the audit log', () => {
  it('is written by its repository, by the statement of a sign-in and by the command line only', () => {
    const writers = sources.filter((file) => WRITES.test(readFileSync(file, 'utf8')));
    // docs/decisions/0007-roles-owners-invitations.md gives the reasons
    expect(writers).toEqual([
      'src/audit/data/audit-log.repository.ts',
      'src/auth/data/session.statements.ts',
      'src/set-admin.ts',
    ]);
  });

  it.each(['INSERT INTO audit_log (id)', 'super(AuditEntry, unitOfWork)', 'manager.getRepository(AuditEntry)'])(
    'would be found to be written by %s',
    (text) => expect(text).toMatch(WRITES),
  );
});

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { domainToASCII } from 'node:url';

/** So many addresses at a time. */
const BATCH = 1000;
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Addresses are stored with their domain in ASCII from now on. Only those with other letters
 * change; where the mailbox has an account in the new form already, the other one stays as it is:
 * nobody can tell here which of the two is used.
 */
export class CanonicalAddresses1765030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT set_config('app.across_tenants', 'on', true)`);
    for (const table of ['users', 'invitations']) {
      let before = LAST;
      for (;;) {
        const select = `SELECT id, email FROM ${table} WHERE email ~ '[^[:ascii:]]' AND id < $1 ORDER BY id DESC
          LIMIT ${BATCH}`;
        const rows = (await runner.query(select, [before])) as { id: string; email: string }[];
        if (rows.length === 0) break;
        for (const { id, email } of rows) {
          const taken =
            table === 'users'
              ? 'SELECT FROM users o WHERE o.email = $2'
              : 'SELECT FROM invitations o WHERE o.email = $2 AND o.tenant_id = t.tenant_id';
          await runner.query(
            `UPDATE ${table} t SET email = $2 WHERE id = $1 AND email <> $2 AND NOT EXISTS (${taken})`,
            [id, canonical(email)],
          );
        }
        before = rows[rows.length - 1].id;
      }
    }
    await runner.query(`SELECT set_config('app.across_tenants', 'off', true)`);
  }

  /** What it was before cannot be told, and need not be: both forms name the same mailbox. */
  async down(): Promise<void> {}
}

/** Composed, and its domain in ASCII; as it is where the domain is none. */
function canonical(email: string): string {
  const [local, domain] = email.normalize('NFC').split(/@(?=[^@]*$)/);
  return `${local}@${domainToASCII(domain) || domain}`;
}

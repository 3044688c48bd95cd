import type { MigrationInterface, QueryRunner } from 'typeorm';
import { domainToASCII } from 'node:url';

/** Addresses per batch. */
const BATCH = 1000;
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Stores the domain of addresses in ASCII. Only addresses with other characters change. When
 * another account already has the new form, the address stays as it is, because nobody can tell
 * which account is used.
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

  /** The former spelling is not stored and not needed: both name the same mailbox. */
  async down(): Promise<void> {}
}

/** NFC with the domain in ASCII; unchanged when the domain is invalid. */
function canonical(email: string): string {
  const [local, domain] = email.normalize('NFC').split(/@(?=[^@]*$)/);
  return `${local}@${domainToASCII(domain) || domain}`;
}

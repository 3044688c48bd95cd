import { Client } from 'pg';
import { canonicalEmail } from './config/email-address';
import { readDatabaseUrls } from './config/database-urls';
import { InvalidSettings, processEnvironment } from './config/read-environment';
import { ACTIONS_WITHOUT_EVENT } from './platform/audit-actions';
import { Clock } from './platform/clock';
import { newIdAt } from './platform/ids';

const USAGE = 'Usage: npm run admin -- grant|revoke <email>\n';

const UNPROVEN =
  'A password that was set before the address was verified does not count: reset it, or sign in with an emailed link.';

/** Sets the flag and, if it changed, writes an audit entry. */
const SET_ADMIN = `
  WITH found AS (
    SELECT id, email, is_email_verified, is_admin FROM users WHERE email = $1 FOR UPDATE
  ), changed AS (
    UPDATE users u SET is_admin = $2 FROM found
     WHERE u.id = found.id AND found.is_admin <> $2 AND (found.is_email_verified OR NOT $2) RETURNING u.id
  ), audited AS (
    INSERT INTO audit_log (id, at, action, target_type, target_id, request_id, data)
    SELECT $3, $4, $5, 'user', id::text, 'command line', '{}' FROM changed
  )
  SELECT is_email_verified AS "isEmailVerified" FROM found`;

/**
 * The command `npm run admin`: grants or revokes the admin flag of an account. Requires
 * DATABASE_URL only.
 */
async function main([order, email]: string[]): Promise<void> {
  if ((order !== 'grant' && order !== 'revoke') || !email) throw new Refused(USAGE);
  const client = new Client({ connectionString: readDatabaseUrls(processEnvironment()).service });
  await client.connect();
  try {
    const now = new Clock().now();
    const address = canonicalEmail(email) ?? email;
    const parameters = [
      address,
      order === 'grant',
      newIdAt(now),
      now,
      order === 'grant' ? ACTIONS_WITHOUT_EVENT.adminGranted : ACTIONS_WITHOUT_EVENT.adminRevoked,
    ];
    const { rows } = await client.query<{ isEmailVerified: boolean }>(SET_ADMIN, parameters);
    if (rows.length === 0) throw new Refused(`There is no account with the address ${address}.\n`);
    if (order === 'grant' && !rows[0].isEmailVerified)
      throw new Refused(`${address} is not verified: anyone may have created this account.\n`);
    process.stdout.write(messageFor(order, address));
  } finally {
    await client.end();
  }
}

function messageFor(order: 'grant' | 'revoke', address: string): string {
  if (order === 'grant') return `${address} gets admin access at the next sign-in or refresh. ${UNPROVEN}\n`;
  return `${address} loses admin access at the next refresh (within 15 minutes), unless ADMIN_EMAILS contains it.\n`;
}

/** Wrong usage, reported without a stack trace. */
class Refused extends Error {}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(
    error instanceof Refused ? error.message : `${error instanceof InvalidSettings ? error.message : error.stack}\n`,
  );
  process.exit(1);
});

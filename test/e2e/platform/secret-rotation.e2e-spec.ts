import { Client } from 'pg';
import { newSecretsKeys } from '../../../dev/local-keys';
import { readKeyRing } from '../../../src/config/key-ring';
import { rotateSealedValues } from '../../../src/platform/database/sealed-value-rotation';
import { newId } from '../../../src/platform/ids';
import { Vault } from '../../../src/platform/vault';
import { TestDatabase } from '../../support/database';
import { placeOf, secretOf, storedSecrets, storeSecrets } from '../../support/sealed-secrets';
import { PRODUCTION, REQUIRED } from '../../support/settings';
import { sourceCommand } from '../../support/source-command';

const [K0, K1, K2] = ['k0', 'k1', 'k2'].map(newSecretsKeys);
const vaultOf = (...keys: string[]) => new Vault(readKeyRing(keys.join(), []));
const [before, after] = [vaultOf(K1), vaultOf(K2, K1)];
const COLUMN = { table: 'totp_factors', column: 'secret_enc', key: ['user_id'] };
const SILENT = { progressed: () => undefined, failed: () => undefined };

describe('The rotation of the keys for secrets', () => {
  let database: TestDatabase;
  let client: Client;
  beforeEach(async () => {
    database = await TestDatabase.create();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const secrets = (...parameters: string[]) =>
    sourceCommand('src/rotate-secrets.ts', parameters, { DATABASE_URL: database.url, SECRETS_KEYS: `${K2},${K1}` });
  const openAll = async (vault: Vault) =>
    [...(await storedSecrets(database))].map(([id, sealed]) => vault.open(placeOf(id), sealed) === secretOf(id));
  const keyIds = async () =>
    [...(await storedSecrets(database)).values()].map((sealed) => after.keyIdOf(sealed)).sort();

  it('re-encrypts all values, in batches, and does nothing the second time', async () => {
    await storeSecrets(database, before, 1100);
    await storeSecrets(database, after, 10);
    const usage = 'Usage: npm run secrets -- rotate\n';
    const counts = (k2: number, k1: number) => `${'k2'.padEnd(16)} ${k2}\n${'k1'.padEnd(16)} ${k1}\n`;
    expect(await secrets()).toEqual({ status: 0, errors: '', output: `${counts(10, 1100)}\n${usage}` });
    expect(await secrets('rotate')).toEqual({
      status: 0,
      errors: '',
      output:
        'audit_streams.keys_enc: 0 re-encrypted\naudit_streams.authorization_enc: 0 re-encrypted\n' +
        'totp_factors.secret_enc: 1100 re-encrypted\n' +
        `webhook_endpoints.keys_enc: 0 re-encrypted\n${counts(1110, 0)}`,
    });
    expect((await openAll(vaultOf(K2))).filter((isOpen) => isOpen)).toHaveLength(1110);
    const stored = await storedSecrets(database);
    expect((await secrets('rotate')).output).toContain('totp_factors.secret_enc: 0 re-encrypted\n');
    expect(await storedSecrets(database)).toEqual(stored);
  }, 60_000);

  it('names values that cannot be opened, and re-encrypts the others', async () => {
    const [lost] = await storeSecrets(database, vaultOf(K0), 1);
    const [one, other] = await storeSecrets(database, before, 20);
    const stored = await storedSecrets(database);
    await database.query('UPDATE totp_factors SET secret_enc = $1 WHERE user_id = $2', [stored.get(other), one]);
    const { status, output, errors } = await secrets('rotate');
    expect(status).toBe(1);
    expect(errors).toBe(
      `Cannot open totp_factors.secret_enc of ${lost}: SECRETS_KEYS has no key k0.\n` +
        `Cannot open totp_factors.secret_enc of ${one}: the key k1 does not fit: the value was changed, ` +
        'or sealed for another place.\n2 values are not under the key k2.\n',
    );
    expect(output).toContain('totp_factors.secret_enc: 19 re-encrypted, 2 cannot be opened\n');
    expect(output).toMatch(/^k2 +19\nk1 +1\nk0 +1 {2}not in SECRETS_KEYS\n$/m);
    const left = await storedSecrets(database);
    expect([left.get(lost), left.get(one)]).toEqual([stored.get(lost), stored.get(other)]);
    for (const sealed of stored.values()) expect(output + errors).not.toContain(sealed.split('.')[2]);
  }, 60_000);

  it('does not overwrite a value that is changed or deleted meanwhile', async () => {
    const [changed, deleted] = await storeSecrets(database, before, 3);
    const sealed = before.seal(placeOf(changed), 'a newer secret');
    const outcome = await database.inTheMidstOf(
      `WITH gone AS (DELETE FROM totp_factors WHERE user_id = $3)
       UPDATE totp_factors SET secret_enc = $1 WHERE user_id = $2`,
      [sealed, changed, deleted],
      () => rotateSealedValues(client, after, COLUMN, SILENT),
    );
    expect(outcome).toEqual({ reencrypted: 1, changed: 2, failed: 0 });
    const stored = await storedSecrets(database);
    expect([stored.size, stored.get(changed)]).toEqual([2, sealed]);
    expect(await rotateSealedValues(client, after, COLUMN, SILENT)).toEqual({ reencrypted: 1, changed: 0, failed: 0 });
    expect(after.open(placeOf(changed), (await storedSecrets(database)).get(changed)!)).toBe('a newer secret');
  });

  it('can be interrupted, keeps what it has done, and is continued by the next run', async () => {
    await storeSecrets(database, before, 700);
    const interrupted = rotateSealedValues(client, after, COLUMN, {
      ...SILENT,
      progressed: ({ reencrypted }) => {
        throw new Error(`stopped after ${reencrypted}`);
      },
    });
    await expect(interrupted).rejects.toThrow('stopped after 500');
    expect((await keyIds()).lastIndexOf('k1')).toBe(199);
    expect(await rotateSealedValues(client, after, COLUMN, SILENT)).toEqual({
      reencrypted: 200,
      changed: 0,
      failed: 0,
    });
    expect(new Set(await keyIds())).toEqual(new Set(['k2']));
  });

  it('can run twice at the same time', async () => {
    await storeSecrets(database, before, 1200);
    const second = new Client({ connectionString: database.url });
    await second.connect();
    const both = await Promise.all([client, second].map((one) => rotateSealedValues(one, after, COLUMN, SILENT)));
    await second.end();
    expect(both.reduce((sum, { reencrypted }) => sum + reencrypted, 0)).toBe(1200);
    expect((await openAll(vaultOf(K2))).every((isOpen) => isOpen)).toBe(true);
  });

  it('reaches the rows of all tenants, with a primary key of several columns, and leaves null alone', async () => {
    await database.query(`
      CREATE TABLE sealed_samples (tenant_id uuid, id uuid, token_enc text, PRIMARY KEY (tenant_id, id));
      ALTER TABLE sealed_samples ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant_isolation ON sealed_samples
        USING (tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()));
      GRANT SELECT, INSERT, UPDATE, DELETE ON sealed_samples TO tenantry`);
    const [table, column] = ['sealed_samples', 'token_enc'];
    const tenants = Array.from({ length: 30 }, () => newId());
    const rows = tenants.flatMap((tenantId) =>
      Array.from({ length: 40 }, () => ({ tenant_id: tenantId, id: newId() })),
    );
    const place = (row: (typeof rows)[number]) => ({ table, column, id: `${row.tenant_id}:${row.id}` });
    const sealed = rows.map((row) => ({ ...row, token_enc: before.seal(place(row), row.id) }));
    const empty = { tenant_id: newId(), id: newId(), token_enc: null };
    const insert = 'INSERT INTO sealed_samples SELECT * FROM jsonb_populate_recordset(NULL::sealed_samples, $1)';
    await database.query(insert, [JSON.stringify([...sealed, empty])]);
    const outcome = await rotateSealedValues(client, after, { table, column, key: ['tenant_id', 'id'] }, SILENT);
    expect(outcome).toEqual({ reencrypted: 1200, changed: 0, failed: 0 });
    const stored = await database.query<(typeof sealed)[number]>(
      'SELECT * FROM sealed_samples WHERE token_enc IS NOT NULL',
    );
    expect(stored.filter((row) => vaultOf(K2).open(place(row), row.token_enc) === row.id)).toHaveLength(1200);
  });

  it('must not end with the removal of a key that is needed, which the doctor command reports', async () => {
    const doctor = (keys: string) => {
      const variables = { ...REQUIRED, ...PRODUCTION, DATABASE_URL: database.url, SECRETS_KEYS: keys };
      return sourceCommand('src/doctor.ts', [], variables);
    };
    await storeSecrets(database, before, 1);
    expect(await doctor(`${K2},${K1}`)).toMatchObject({
      status: 0,
      output: expect.stringContaining('pass  SECRETS_KEYS has the keys of all sealed values\n'),
    });
    expect(await doctor(K2)).toMatchObject({
      status: 1,
      output: expect.stringContaining('fail  SECRETS_KEYS lacks keys of sealed values (k1): npm run secrets\n'),
    });
  });

  it.each([
    ['an unknown order', ['turn'], {}, 'Usage: npm run secrets -- rotate\n'],
    ['a parameter too many', ['rotate', 'k1'], {}, 'Usage: npm run secrets -- rotate\n'],
    ['no keys', ['rotate'], { SECRETS_KEYS: '' }, 'The settings are invalid:\n  - SECRETS_KEYS is required\n'],
  ])('is refused with %s', async (_what, parameters, variables, errors) => {
    const environment = { DATABASE_URL: database.url, SECRETS_KEYS: K2, ...variables };
    expect(await sourceCommand('src/rotate-secrets.ts', parameters, environment)).toEqual({
      status: 1,
      output: '',
      errors,
    });
  });
});

import { CommandBus } from '@nestjs/cqrs';
import { newSecretsKeys } from '../../../dev/local-keys';
import { FoldRowCounts } from '../../../src/admin/commands/fold-row-counts';
import { readKeyRing } from '../../../src/config/key-ring';
import { Vault } from '../../../src/platform/vault';
import { TestApp } from '../../support/app';
import { placeOf, storeSecrets } from '../../support/sealed-secrets';

const [K1, K2] = ['k1', 'k2'].map(newSecretsKeys);

describe('The metric of sealed values by key', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off', SECRETS_KEYS: `${K2},${K1}` } });
  });
  afterAll(() => t.close());

  const measured = async () => {
    const { text } = await t.http.get('/metrics').expect(200);
    return [...text.matchAll(/^secrets_by_key\{key="(\w+)"\} (\d+)$/gm)].map(([, key, count]) => `${key} ${count}`);
  };

  it('follows what is stored, changed and deleted, and shows keys without values and missing keys', async () => {
    expect(await measured()).toEqual(['k2 0', 'k1 0']);
    const [first] = await storeSecrets(t.database, new Vault(readKeyRing(K1, [])), 3);
    const vault = t.nest.get(Vault);
    await storeSecrets(t.database, vault, 2);
    await storeSecrets(t.database, new Vault(readKeyRing(newSecretsKeys('k0'), [])), 1);
    expect(await measured()).toEqual(['k2 2', 'k1 3', 'k0 1']);
    const change = 'UPDATE totp_factors SET secret_enc = $1 WHERE user_id = $2';
    await t.database.query(change, [vault.seal(placeOf(first), 'x'), first]);
    expect(await measured()).toEqual(['k2 3', 'k1 2', 'k0 1']);
    await t.nest.get(CommandBus).execute(new FoldRowCounts());
    expect(await measured()).toEqual(['k2 3', 'k1 2', 'k0 1']);
    await t.database.query('DELETE FROM users');
    expect(await measured()).toEqual(['k2 0', 'k1 0']);
  });

  it('has no value while the database is away, and the other metrics are served', async () => {
    await t.database.query('ALTER TABLE row_counts RENAME TO away');
    const { text } = await t.http.get('/metrics').expect(200);
    expect(text).not.toContain('secrets_by_key{');
    expect(text).toContain('process_cpu_seconds_total');
    await t.database.query('ALTER TABLE away RENAME TO row_counts');
  });
});

import { MAX_REPLACED_KEYS_PER_TENANT } from '../../../src/keys/domain/key-limits';
import { addSeconds, DAY } from '../../../src/platform/clock';
import { newServiceKey } from '../../support/api-keys';
import { bearer, type Bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';

/** One second, plus the time of a request of the test on a busy machine. */
const A_SECOND_MS = 1000;

describe('a key that may no longer be used', () => {
  let t: TestApp;
  let second: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
    second = await TestApp.start({ beside: t });
    owner = await t.actors.owner({ plan: 'Pro' });
  });
  afterAll(async () => {
    await second.close();
    await t.close();
  });

  const read = (key: Bearer, at = t) => at.api.get('/tenants/current/projects').set(key.bearer);
  const isServed = async (key: Bearer) => {
    for (const at of [t, second]) await read(key, at).expect(200);
  };
  /** Asserts that both instances, which remember the key, refuse it within a second. */
  const isRefused = async (key: Bearer, code: string) => {
    for (const at of [t, second]) {
      const refused = async () => ((await read(key, at)).status === 401 ? true : undefined);
      await eventually(refused, 'the refusal', A_SECOND_MS);
      expect(codeOf(await read(key, at).expect(401))).toBe(code);
    }
  };

  it('because it was revoked is refused on every instance within a second', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    const other = await newServiceKey(t, owner, ['tenant.projects.read']);
    await isServed(key);
    await isServed(other);
    await second.api.delete(`/tenants/current/keys/${key.id}`).set(owner.bearer).expect(200);
    await isRefused(key, 'API_KEY_REVOKED');
    await isServed(other);
  });

  it('because its service account is disabled is refused there, and served again when it is enabled', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    await isServed(key);
    const change = (disabled: boolean) =>
      t.api
        .patch(`/tenants/current/service-accounts/${key.serviceAccountId}`)
        .set(owner.bearer)
        .send({ disabled })
        .expect(200);
    await change(true);
    await isRefused(key, 'API_KEY_REVOKED');
    await change(false);
    const served = async (at: TestApp) => ((await read(key, at)).status === 200 ? true : undefined);
    for (const at of [t, second]) await eventually(() => served(at), 'the service', A_SECOND_MS);
  });

  it('one of very many of an account can be rotated no more, and all of them end with the account', async () => {
    const rich = await t.actors.owner();
    const replaced = await newServiceKey(t, rich, ['tenant.projects.read']);
    const rotate = (id: string) =>
      t.api.post(`/tenants/current/keys/${id}/rotate`).set(rich.bearer).send({ overlapHours: 168 });
    const { data } = (await rotate(replaced.id).expect(200)).body;
    const key = { ...replaced, id: data.id as string, bearer: bearer(data.key as string) };
    const others = `INSERT INTO api_keys SELECT (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(),
        'token_hash', '\\x' || md5(concat($2::int, '-', n)), 'expires_at', $3::timestamptz))).*
      FROM api_keys k, generate_series(1, $2::int) AS n WHERE k.id = $1`;
    const ends = { now: t.clock.now(), later: addSeconds(t.clock.now(), DAY) };
    await t.database.query(others, [replaced.id, MAX_REPLACED_KEYS_PER_TENANT - 1, ends.later]);
    expect(codeOf(await rotate(key.id).expect(409))).toBe('LIMIT_REACHED');
    await t.database.query(others, [replaced.id, 500, ends.now]); // rotated over a month
    await isServed(key);
    const account = `/tenants/current/service-accounts/${key.serviceAccountId}`;
    await t.api.patch(account).set(rich.bearer).send({ disabled: true }).expect(200);
    await isRefused(key, 'API_KEY_REVOKED');
    await t.api.delete(account).set(rich.bearer).expect(200);
    await isRefused(key, 'UNAUTHENTICATED');
  });

  it('because its service account was deleted is refused there', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    await isServed(key);
    await t.api.delete(`/tenants/current/service-accounts/${key.serviceAccountId}`).set(owner.bearer).expect(200);
    await isRefused(key, 'UNAUTHENTICATED');
  });

  it('deletes nothing on another instance, even before that one has heard of it', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read', 'tenant.projects.manage']);
    const { id } = (await t.api.post('/tenants/current/projects').set(key.bearer).send({ name: 'Loom' }).expect(200))
      .body.data;
    await isServed(key);
    await t.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [key.id]); // without announcement
    await read(key, second).expect(200);
    const refused = await second.api.delete(`/tenants/current/projects/${id}`).set(key.bearer).expect(401);
    expect(codeOf(refused)).toBe('API_KEY_REVOKED');
  });
});

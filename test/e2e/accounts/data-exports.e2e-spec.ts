import { readFileSync } from 'node:fs';
import { ENTITY_CLASSES } from '../../../src/entities';
import { HOUR, MINUTE } from '../../../src/platform/clock';
import { tableOf } from '../../../src/platform/database/entity-table';
import { PersonalData } from '../../../src/platform/personal-data';
import { PASSWORD, type Bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { codeOf } from '../../support/error-code';
import { uploadOf } from '../../support/picture-files';
import { untilNoJobIsLeft } from '../../support/job-queue';

/** Tables that refer to accounts, with what happens to their rows when an account is deleted. */
const REFERENCES = `
  SELECT conrelid::regclass::text AS name, confdeltype AS "onDelete" FROM pg_constraint
   WHERE contype = 'f' AND confrelid = 'users'::regclass ORDER BY 1`;

/** What the columns that may name a person are called. */
const NAMING =
  '(^|_)(name|emails?|address|ip|user_agent|user_id|actor_id|impersonator_id|by|data|payload|hash|cause|reason|keys)$';

/** Such columns, except those of rows that are deleted with the account they belong to. */
const NAMES = `
  SELECT c.table_name || '.' || c.column_name AS name
    FROM information_schema.columns c JOIN pg_class t ON t.oid = c.table_name::regclass
   WHERE c.table_schema = 'public' AND t.relkind IN ('r', 'p') AND NOT t.relispartition AND c.column_name ~ '${NAMING}'
     AND (t.relname = 'notifications' OR NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = t.oid
       AND k.contype = 'f' AND k.confrelid = 'users'::regclass AND k.confdeltype = 'c'))
`;

/** Why they name nobody, or what removes them after the deletion of an account. */
const NAMED: Readonly<Record<string, string>> = {
  'access_revocations.keys': 'ids, for 16 minutes',
  'account_erasures.emails': 'forgotten after the last email',
  'account_erasures.user_id': 'removed a day later',
  'api_keys.created_by': 'set to null',
  'api_keys.name': 'of the tenant, or deleted with the membership',
  'api_keys.token_hash': 'random',
  'api_keys.user_id': 'deleted with the membership',
  'audit_log.actor_id': 'ids stay',
  'audit_log.data': 'a step of the erasure',
  'audit_log.impersonator_id': 'ids stay',
  'audit_log.ip': 'a step of the erasure',
  'audit_streams.created_by': 'set to null',
  'audit_streams.granted_by': 'set to null',
  'entitlement_overrides.created_by': 'set to null',
  'entitlement_overrides.reason': 'of the tenant',
  'idempotency_keys.request_hash': 'a hash, for a day',
  'invitations.email': 'a step of the erasure',
  'invitations.invited_by': 'set to null; the invitation is revoked before',
  'invitations.token_hash': 'random',
  'inviter_quotas.user_id': 'an id, for a day',
  'mail_allowances.recipient_hash': 'forgotten after the last email',
  'mail_shares.cause': 'a hash, for a day',
  'migrations.name': 'of code',
  'notifications.data': 'a step of the erasure',
  'notifications.user_id': 'deleted with the account',
  'orphaned_resources.left_by': 'set to null',
  'projects.name': 'of the tenant',
  'refresh_tokens.secret_hash': 'random',
  'refresh_tokens.token_hash': 'random',
  'roles.name': 'of the tenant',
  'row_count_changes.name': 'of code',
  'row_counts.name': 'of code',
  'service_accounts.created_by': 'set to null',
  'service_accounts.name': 'of the tenant',
  'suppressed_addresses.address': 'forgotten after the last email',
  'suppressed_addresses.reason': 'forgotten after the last email',
  'tenants.name': 'of the tenant',
  'users.email': 'the account',
  'used_sign_in_states.state_hash': 'random',
  'users.name': 'the account',
  'users.password_hash': 'the account',
  'webhook_endpoints.created_by': 'set to null',
  'webhook_endpoints.granted_by': 'set to null',
  'webhook_events.payload': 'a step of the erasure',
  'webhook_messages.email': 'a step of the erasure',
};

describe('the export of personal data', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const exported = (by: Bearer) => t.api.get('/users/me/export').set(by.bearer);

  it('is a JSON file with what is stored about the user, and nothing about others', async () => {
    const [owner, other] = [await t.actors.owner({ tenantName: 'Loom' }), await t.actors.owner()];
    const email = 'weaver@example.com';
    const weaver: Member = await t.actors.member(owner, 'Member', { email, name: 'Wilma Weaver' });
    const app = await AuthenticatorApp.enrol(t, weaver);
    const roleId = await t.actors.roleId(other, 'Member');
    const invitation = { email, roleId };
    await t.api.post('/tenants/current/invitations').set(other.bearer).send(invitation).expect(200);
    const picture = await uploadOf('png', 20, 20);
    await t.api.put('/users/me/picture').set(weaver.bearer).set('Content-Type', 'image/png').send(picture).expect(200);
    await untilNoJobIsLeft(t);
    const { headers, text } = await exported(weaver).expect(200);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="account-data-\d{4}-\d\d-\d\d\.json"$/);
    const file = JSON.parse(text) as { lists: Record<string, object[]> };
    const { lists } = file;
    expect(file).toMatchObject({ version: 2, exportedAt: expect.any(String) as string, truncated: [] });
    expect(lists).toMatchObject({
      account: [{ id: weaver.user.id, email, name: 'Wilma Weaver', hasPassword: true, hasSecondFactor: true }],
      pictures: [{ type: 'image/webp', base64: expect.stringMatching(/^UklGR/) as string }],
      emailChanges: [],
      authenticatorApps: [{ createdAt: expect.any(String) as string }],
      passkeys: [],
      memberships: [{ tenantName: 'Loom', role: 'Member', isOwner: false }],
      invitationsReceived: [{ tenantName: 'Acme', role: 'Member' }],
      invitationsSent: [],
      notifications: [{ kind: 'InvitationReceived' }],
    });
    expect(lists.recoveryCodes).toHaveLength(10);
    expect(lists.sessions).toHaveLength(1);
    const actions = (lists.auditEntriesByYou as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['user.data-exported', 'second-factor.added', 'user.signed-in']));
    expect(Object.keys(file)).toEqual(['version', 'exportedAt', 'lists', 'truncated']);
    expect(Object.keys(lists)).toEqual(t.nest.get(PersonalData).parts.map(({ name }) => name));
    const hashes = ['passwordHash', 'argon2', 'tokenHash', 'secretHash', 'currentTokenId'];
    const secrets = [other.user.email, owner.user.email, app.secret, ...hashes];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it('needs a fresh proof of the identity, and is refused while impersonating', async () => {
    const actor = await t.actors.signedInUser();
    await t.api.get('/users/me/export').expect(401);
    t.clock.advance(10 * MINUTE + 1);
    const older = await t.actors.refreshed(actor);
    expect(codeOf(await exported(older).expect(403))).toBe('STEP_UP_REQUIRED');
    await t.api.post('/auth/step-up').set(older.bearer).send({ password: PASSWORD }).expect(200);
    await exported(older).expect(200);
    const acting = await t.actors.impersonating(await t.actors.admin(), older);
    expect(codeOf(await exported(acting).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
  });

  it('is allowed three times an hour, also if all are asked for at the same time', async () => {
    const actor = await t.actors.signedInUser();
    const statuses: number[] = [];
    for (const answers of [1, 2].map(() => Promise.all([exported(actor), exported(actor)])))
      for (const { status } of await answers) statuses.push(status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3);
    while (statuses.filter((status) => status === 200).length < 3) statuses.push((await exported(actor)).status);
    const refused = await exported(actor).expect(429);
    expect(codeOf(refused)).toBe('RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(HOUR - MINUTE);
    t.clock.advance(HOUR + 1);
    const later = await t.actors.signIn(actor.user.email);
    await exported(later).expect(200);
  });

  it('is described in the contract, part by part', () => {
    const [, described] = /^2\. The parts are (.*)$/m.exec(readFileSync('docs/contract.md', 'utf8'))!;
    const parts = t.nest.get(PersonalData).parts.map(({ name }) => name);
    expect([...described.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual([...parts].sort());
  });

  it('leaves out no table that refers to accounts without a reason, and deletion leaves none', async () => {
    const references = await t.database.query<{ name: string; onDelete: string }>(REFERENCES);
    const { exported: supplied, withheld } = t.nest.get(PersonalData);
    const known = [...supplied, ...withheld.keys()].map((entity) => tableOf(entity).name.replaceAll('"', ''));
    expect(references.length).toBeGreaterThan(15);
    expect(references.filter(({ name }) => !known.includes(name))).toEqual([]);
    expect(references.filter(({ onDelete }) => !['c', 'n'].includes(onDelete))).toEqual([]);
    for (const entity of withheld.keys())
      expect([entity.name, supplied.includes(entity)]).toEqual([entity.name, false]);
    expect(ENTITY_CLASSES).toEqual(expect.arrayContaining([...supplied]));
  });

  it('is complete: every other column that may name a person is known', async () => {
    const found = (await t.database.query<{ name: string }>(NAMES)).map(({ name }) => name);
    expect(found.sort()).toEqual(Object.keys(NAMED).sort());
  });
});

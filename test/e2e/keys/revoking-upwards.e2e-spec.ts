import { newPersonalToken, newServiceAccount, newServiceKey } from '../../support/api-keys';
import type { Bearer, Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';

const ACCOUNTS = '/tenants/current/service-accounts';
const KEYS = '/tenants/current/keys';

describe('a key that is above the rights of who stops it', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  beforeEach(async () => {
    owner = await t.actors.owner({ plan: 'Pro', tenantName: 'Looms' });
  });
  afterAll(() => t.close());

  const revoke = (id: string, by: Bearer) => t.api.delete(`${KEYS}/${id}`).set(by.bearer);
  const remove = (id: string, by: Bearer) => t.api.delete(`${ACCOUNTS}/${id}`).set(by.bearer);
  const change = (id: string, body: object, by: Bearer) => t.api.patch(`${ACCOUNTS}/${id}`).set(by.bearer).send(body);
  const projects = (key: Bearer) => t.api.get('/tenants/current/projects').set(key.bearer);
  const stoppedMails = (to: Member) =>
    t.mailbox.to(to.user.email).filter(({ subject }) => subject === 'A key of yours in Looms was stopped');

  it('is not stopped by a key that lacks one of its permissions, and one below is', async () => {
    const above = await newServiceKey(t, owner, ['tenant.projects.read', 'tenant.projects.manage']);
    const token = await newPersonalToken(t, owner, ['tenant.projects.read', 'tenant.audit.read']);
    const below = await newServiceKey(t, owner, ['tenant.projects.read']);
    const keeper = await newServiceKey(t, owner, ['tenant.keys.manage', 'tenant.projects.read']);
    for (const refused of [
      revoke(above.id, keeper),
      revoke(token.id, keeper),
      remove(above.serviceAccountId, keeper),
      change(above.serviceAccountId, { disabled: true }, keeper),
      change(above.serviceAccountId, { name: 'Renamed' }, keeper),
    ])
      expect(codeOf(await refused.expect(403))).toBe('PERMISSION_NOT_HELD');
    for (const key of [above, token]) await projects(key).expect(200);
    await change(below.serviceAccountId, { name: 'Renamed', disabled: true }, keeper).expect(200);
    await change(below.serviceAccountId, { disabled: false }, keeper).expect(200);
    await revoke(below.id, keeper).expect(200);
    await remove(below.serviceAccountId, keeper).expect(200);
    await projects(below).expect(401);
  });

  it('is not stopped by a personal token that lacks one of its permissions', async () => {
    const above = await newServiceKey(t, owner, ['tenant.projects.manage']);
    const keeper = await newPersonalToken(t, owner, ['tenant.keys.manage']);
    expect(codeOf(await revoke(above.id, keeper).expect(403))).toBe('PERMISSION_NOT_HELD');
    const holder = await newPersonalToken(t, owner, ['tenant.keys.manage', 'tenant.projects.manage']);
    await revoke(above.id, holder).expect(200);
  });

  it('does not exist for a key whose creator has left or was demoted: it stops none', async () => {
    const admin = await t.actors.member(owner, 'Admin');
    const keeper = await newServiceKey(t, admin, ['tenant.keys.manage', 'tenant.projects.read']);
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    const member = { roleId: await t.actors.role(owner, ['tenant.keys.manage']) };
    await t.api.patch(`/tenants/current/members/${admin.user.id}`).set(owner.bearer).send(member).expect(200);
    expect(codeOf(await revoke(key.id, keeper).expect(403))).toBe('PERMISSION_NOT_HELD');
    await t.api.delete(`/tenants/current/members/${admin.user.id}`).set(owner.bearer).expect(200);
    for (const refused of [
      revoke(key.id, keeper),
      remove(key.serviceAccountId, keeper),
      change(key.serviceAccountId, { disabled: true }, keeper),
    ])
      expect(codeOf(await refused.expect(403))).toBe('PERMISSION_NOT_HELD');
    await projects(key).expect(200);
  });

  it('is stopped by a person with tenant.keys.manage, and an email tells the person whose it was', async () => {
    const admin = await t.actors.member(owner, 'Admin');
    const keeper = await t.actors.member(owner, ['tenant.keys.manage']);
    const token = await newPersonalToken(t, admin, ['tenant.audit.read']);
    const other = await newServiceKey(t, admin, ['tenant.audit.read']);
    const own = await newPersonalToken(t, keeper, ['tenant.keys.manage']);
    await revoke(own.id, keeper).expect(200);
    await revoke(token.id, keeper).expect(200);
    await revoke(token.id, keeper).expect(200);
    await change(other.serviceAccountId, { disabled: true }, keeper).expect(200);
    await change(other.serviceAccountId, { disabled: true }, keeper).expect(200);
    const mails = () => (stoppedMails(admin).length >= 2 ? stoppedMails(admin) : undefined);
    const [{ text }] = await eventually(mails, 'two emails');
    expect(text).toContain('has revoked it');
    expect(text).not.toContain('/secure-account');
    await remove(other.serviceAccountId, keeper).expect(200);
    await eventually(() => (stoppedMails(admin).length >= 3 ? true : undefined), 'the third email');
    expect([stoppedMails(admin).length, stoppedMails(keeper).length]).toEqual([3, 0]);
    await projects(token).expect(401);
  });

  it('does not get its permissions back from a person who lacks them', async () => {
    const strong = await newServiceKey(t, owner, ['tenant.projects.read']);
    const keeper = await t.actors.member(owner, ['tenant.keys.manage']);
    const account = strong.serviceAccountId;
    await change(account, { disabled: true }, owner).expect(200);
    expect(codeOf(await change(account, { disabled: false }, keeper).expect(403))).toBe('PERMISSION_NOT_HELD');
    await change(account, { name: 'Renamed' }, keeper).expect(200);
    expect(codeOf(await projects(strong).expect(401))).toBe('API_KEY_REVOKED');
    await change(account, { disabled: false }, owner).expect(200);
    const empty = await newServiceAccount(t, owner);
    await change(empty, { disabled: true }, keeper).expect(200);
    await change(empty, { disabled: false }, keeper).expect(200);
  });
});

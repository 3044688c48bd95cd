import { HOUR } from '../../../src/platform/clock';
import type { Member } from '../../support/actors';
import { newServiceKey } from '../../support/api-keys';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { markVerified } from '../../support/verified-endpoint';
import { WEBHOOKS_PATH, WITH_LOCAL_RECEIVERS, WebhookDeliveries } from '../../support/webhook-deliveries';

describe('what a member may let an endpoint get', () => {
  let t: TestApp;
  let webhooks: WebhookDeliveries;
  let owner: Member;
  /** Manages webhooks and views projects, and nothing else. */
  let keeper: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: WITH_LOCAL_RECEIVERS });
  });
  beforeEach(async () => {
    webhooks = await WebhookDeliveries.start(t);
    ({ owner } = webhooks);
    keeper = await t.actors.member(owner, ['tenant.webhooks.manage', 'tenant.projects.read']);
  });
  afterEach(() => webhooks.stop());
  afterAll(() => t.close());

  const create = (types: string[] | null, by = keeper) =>
    t.api.post(WEBHOOKS_PATH).set(by.bearer).send({ url: webhooks.receiver.url, types });
  const change = (id: string, changes: object, by = keeper) =>
    t.api.patch(`${WEBHOOKS_PATH}/${id}`).set(by.bearer).send(changes);
  const types = () => webhooks.receiver.events.map(({ type }) => type);

  it('is what the member may view, at first and later', async () => {
    for (const wanted of [null, ['member.joined'], ['project.created', 'invitation.created']]) {
      const refused = await create(wanted).expect(403);
      expect(codeOf(refused)).toBe('PERMISSION_NOT_HELD');
      const { message } = refused.body.error as { message: string };
      expect(message).toContain(wanted?.at(-1) ?? 'member.joined');
      expect(message).not.toContain('project.created');
    }
    const { id } = (await create(['project.created']).expect(200)).body.data as { id: string };
    for (const wanted of [null, ['project.created', 'role.created']])
      expect(codeOf(await change(id, { types: wanted }).expect(403))).toBe('PERMISSION_NOT_HELD');
    await change(id, { types: ['project.created', 'project.deleted'], url: webhooks.receiver.url }).expect(200);
    const { body } = await t.api.get('/webhook-event-types').set(keeper.bearer).expect(200);
    expect(body.data.types).toContainEqual(
      expect.objectContaining({ type: 'member.joined', permission: 'tenant.members.read' }),
    );
  });

  it('does not include what somebody else chose, at another address or in the log', async () => {
    const its = await webhooks.endpoint({ types: ['role.created', 'project.created'] });
    expect(codeOf(await change(its.id, { url: 'https://attacker.example/' }).expect(403))).toBe('PERMISSION_NOT_HELD');
    // a form sends what it shows
    await change(its.id, { ...{ url: webhooks.receiver.url, types: ['role.created', 'project.created'] } }).expect(200);
    await change(its.id, { description: 'Warehouse', perSecond: 50 }).expect(200);
    await t.actors.role(owner, ['tenant.projects.read']);
    await webhooks.arrived(1);
    const ofRole = `${WEBHOOKS_PATH}/${its.id}/deliveries/${(await webhooks.deliveries(its))[0].id}`;
    const key = await newServiceKey(t, owner, ['tenant.webhooks.manage']);
    for (const { bearer } of [keeper, key])
      expect(codeOf(await t.api.get(ofRole).set(bearer).expect(403))).toBe('PERMISSION_NOT_HELD');
    expect((await t.api.get(ofRole).set(owner.bearer).expect(200)).body.data.body).toContain('role.created');
    await webhooks.project();
    await webhooks.arrived(2);
    const ofProject = `${WEBHOOKS_PATH}/${its.id}/deliveries/${(await webhooks.deliveries(its))[0].id}`;
    await t.api.get(ofProject).set(keeper.bearer).expect(200);
  });

  it('ends with the permission, and starts again when somebody who has it takes over', async () => {
    const reader = await t.actors.member(owner, [
      'tenant.webhooks.manage',
      'tenant.projects.read',
      'tenant.roles.read',
    ]);
    const both = ['role.created', 'project.created'];
    const { id } = (await create(both, reader).expect(200)).body.data as { id: string };
    await markVerified(t, { id });
    await t.actors.role(owner, ['tenant.projects.read']);
    await webhooks.arrived(1);
    const less = await t.actors.role(owner, ['tenant.webhooks.manage', 'tenant.projects.read']);
    await webhooks.arrived(2);
    await t.actors.assign(reader, less);
    await t.actors.role(owner, ['tenant.projects.read']);
    await webhooks.project();
    await webhooks.arrived(3);
    expect(types()).toEqual(['role.created', 'role.created', 'project.created']);
    await change(id, { types: both }, owner).expect(200);
    await t.actors.role(owner, ['tenant.projects.read']);
    await webhooks.arrived(4);
    expect(types().at(-1)).toBe('role.created');
  });

  it('is everything that was chosen before the person was recorded, or of one who has left', async () => {
    const its = await webhooks.endpoint({}, await t.actors.member(owner, 'Admin'));
    await t.database.query('UPDATE webhook_endpoints SET granted_by = NULL, created_by = NULL WHERE id = $1', [its.id]);
    await t.actors.role(owner, ['tenant.projects.read']);
    await webhooks.arrived(1);
    const left = await t.actors.member(owner, 'Admin');
    await webhooks.endpoint({ url: (await webhooks.startReceiver()).url }, left);
    await t.database.query('DELETE FROM memberships WHERE user_id = $1', [left.user.id]);
    await webhooks.project();
    await webhooks.arrived(2);
  });

  it('is signed with an earlier secret for as long as promised', async () => {
    const its = await webhooks.endpoint();
    const rotate = (body: object = {}) =>
      t.api.post(`${WEBHOOKS_PATH}/${its.id}/rotate-secret`).set(owner.bearer).send(body);
    const answers = await Promise.all([rotate(), rotate(), rotate(), rotate(), rotate()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(codeOf(answers.find(({ status }) => status === 409)!)).toBe('CONFLICT');
    await webhooks.project();
    await webhooks.arrived(1);
    const signatures = String(webhooks.receiver.requests[0].headers['webhook-signature']).split(' ');
    expect(signatures).toHaveLength(4);
    await rotate({ overlapHours: 0 }).expect(200); // ends earlier secrets, for one that is known to others
    t.clock.advance(HOUR);
    owner = await webhooks.signInAgain();
    await rotate({ overlapHours: 1 }).expect(200);
    await rotate({ overlapHours: 1 }).expect(409);
    t.clock.advance(HOUR + 1);
    owner = await webhooks.signInAgain();
    await rotate({ overlapHours: 1 }).expect(200);
  });
});

import { BUILT_IN_ROLES } from '../../../src/tenants/domain/built-in-roles';
import { PASSWORD, type Bearer, type Member } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

describe('invitations', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
    // a plan with a high daily limit
    owner = await t.actors.owner({ name: 'Olga', tenantName: 'Engines & Sons', plan: 'Pro' });
  });
  afterAll(() => t.close());

  const invite = (by: Bearer, body: object) => t.api.post('/tenants/current/invitations').set(by.bearer).send(body);
  const preview = (token: string) => t.api.get('/invitations/preview').query({ token });
  const accept = (by: Bearer, token: string) => t.api.post('/invitations/accept').set(by.bearer).send({ token });
  const register = (token: string, body: object = {}) =>
    t.api.post('/invitations/register').send({ token, name: 'Guest', password: PASSWORD, ...body });

  describe('validity depends on the sender', () => {
    const PATH = '/tenants/current/members';
    const sent = async (by: Member, email: string, roleId?: string) => {
      await invite(by, { email, roleId }).expect(200);
      return t.mailbox.token(email);
    };
    const isRefused = async (guest: Bearer, token: string) => {
      for (const response of [preview(token), accept(guest, token), register(token)])
        expect(codeOf(await response.expect(400))).toBe('INVITATION_INVALID');
    };
    const waiting = (email: string) => t.database.query('SELECT FROM invitations WHERE email = $1', [email]);

    it('revokes invitations when the sender is removed', async () => {
      const [admin, guest, another] = [
        await t.actors.member(owner, 'Admin'),
        await t.actors.signedInUser(),
        await t.actors.signedInUser(),
      ];
      const token = await sent(admin, guest.user.email, await t.actors.roleId(owner, 'Admin'));
      const fromOwner = await sent(owner, another.user.email);
      await t.api.delete(`${PATH}/${admin.user.id}`).set(owner.bearer).expect(200);
      await isRefused(guest, token);
      expect(await waiting(guest.user.email)).toEqual([]);
      await accept(another, fromOwner).expect(200);
      const log = await t.api.get('/tenants/current/audit-log?limit=5').set(owner.bearer).expect(200);
      expect(log.body.data.items).toContainEqual(
        expect.objectContaining({
          action: 'invitation.revoked',
          actorId: owner.user.id,
          data: { email: guest.user.email },
        }),
      );
    });

    it('revokes invitations that exceed the new role when the sender gets a lower one', async () => {
      const [admin, guest, another] = [
        await t.actors.member(owner, 'Admin'),
        await t.actors.signedInUser(),
        await t.actors.signedInUser(),
      ];
      const beyond = await sent(admin, guest.user.email, await t.actors.roleId(owner, 'Admin'));
      const within = await sent(admin, another.user.email);
      const roleId = await t.actors.role(owner, [...BUILT_IN_ROLES.Member, 'tenant.members.invite']);
      await t.api.patch(`${PATH}/${admin.user.id}`).set(owner.bearer).send({ roleId }).expect(200);
      await isRefused(guest, beyond);
      expect(await waiting(guest.user.email)).toEqual([]);
      await accept(another, within).expect(200);
    });

    it('revokes all invitations when the sender gets a role that may not invite', async () => {
      const [admin, guest, another] = [
        await t.actors.member(owner, 'Admin'),
        await t.actors.signedInUser(),
        await t.actors.signedInUser(),
      ];
      const token = await sent(admin, guest.user.email);
      const others = await sent(owner, another.user.email);
      const roleId = await t.actors.roleId(owner, 'Member');
      await t.api.patch(`${PATH}/${admin.user.id}`).set(owner.bearer).send({ roleId }).expect(200);
      await isRefused(guest, token);
      expect(await waiting(guest.user.email)).toEqual([]);
      await accept(another, others).expect(200);
    });

    it('revokes invitations that exceed the Admin role when the Owner transfers the ownership', async () => {
      const former = await t.actors.owner();
      const [heir, guest, another] = [
        await t.actors.member(former, 'Admin'),
        await t.actors.signedInUser(),
        await t.actors.signedInUser(),
      ];
      const beyond = await sent(former, guest.user.email, await t.actors.role(former, ['tenant.billing.manage']));
      const within = await sent(former, another.user.email);
      await t.api.post('/tenants/current/ownership').set(former.bearer).send({ userId: heir.user.id }).expect(200);
      await isRefused(guest, beyond);
      await accept(another, within).expect(200);
    });

    it('makes an invitation invalid while the sender lacks a permission of its role or is disabled', async () => {
      const custom = await t.actors.role(owner, ['tenant.members.invite', 'tenant.audit.read'], 'Recruiter');
      const [sender, guest] = [await t.actors.member(owner, 'Recruiter'), await t.actors.signedInUser()];
      const token = await sent(sender, guest.user.email, await t.actors.role(owner, ['tenant.audit.read']));
      const narrow = (permissions: string[]) =>
        t.api
          .put(`/tenants/current/roles/${custom}`)
          .set(owner.bearer)
          .send({ name: 'Recruiter', permissions })
          .expect(200);
      await narrow(['tenant.members.invite']);
      await isRefused(guest, token);
      await narrow(['tenant.members.invite', 'tenant.audit.read']);
      await preview(token).expect(200);
      await t.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [sender.user.id]);
      await isRefused(guest, token);
      await t.database.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [sender.user.id]);
      await accept(guest, token).expect(200);
    });

    it('follows the user who resent the invitation', async () => {
      const [admin, guest] = [await t.actors.member(owner, 'Admin'), await t.actors.signedInUser()];
      const { body } = await invite(admin, { email: guest.user.email }).expect(200);
      await t.mailbox.token(guest.user.email);
      await t.api.post(`/tenants/current/invitations/${body.data.id}/resend`).set(owner.bearer).expect(200);
      const token = await t.mailbox.token(guest.user.email, 2);
      expect((await preview(token).expect(200)).body.data.inviterName).toBe('Olga');
      await t.api.delete(`${PATH}/${admin.user.id}`).set(owner.bearer).expect(200);
      await accept(guest, token).expect(200);
    });

    it('is decided by order when the sender is removed while the invitation is being accepted', async () => {
      const removing = 'DELETE FROM memberships WHERE tenant_id = $1 AND user_id = $2';
      const [gone, late] = [await t.actors.member(owner, 'Admin'), await t.actors.signedInUser()];
      const token = await sent(gone, late.user.email);
      const response = await t.database.inTheMidstOf(removing, [owner.tenantId, gone.user.id], () =>
        accept(late, token),
      );
      expect([response.status, codeOf(response)]).toEqual([400, 'INVITATION_INVALID']);
      for (let round = 0; round < 6; round++) {
        const [admin, guest] = [await t.actors.member(owner, 'Admin'), await t.actors.signedInUser()];
        const link = await sent(admin, guest.user.email);
        const requests = [() => accept(guest, link), () => t.api.delete(`${PATH}/${admin.user.id}`).set(owner.bearer)];
        const responses = await Promise.all(
          (round % 2 ? requests : [...requests].reverse()).map((request) => request()),
        );
        const [accepted, removed] = round % 2 ? responses : [...responses].reverse();
        expect(removed.status).toBe(200);
        expect([200, 400]).toContain(accepted.status);
        expect(await waiting(guest.user.email)).toEqual([]);
      }
    });
  });
});

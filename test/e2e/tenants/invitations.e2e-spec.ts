import { CommandBus } from '@nestjs/cqrs';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import { PurgeInvitations } from '../../../src/tenants/commands/purge-invitations';
import { PASSWORD, type Bearer, type Member } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { EmailChanges } from '../../support/email-changes';
import { eventually } from '../../support/eventually';

describe('invitations', () => {
  let t: TestApp;
  let owner: Member;
  let serial = 0;
  beforeAll(async () => {
    t = await TestApp.start({ env: { LOG_LEVEL: 'trace' } });
    // a plan with a high daily limit
    owner = await t.actors.owner({ name: 'Olga', tenantName: 'Engines & Sons', plan: 'Pro' });
  });
  afterAll(() => t.close());

  const newAddress = () => `guest${++serial}@example.com`;
  const invite = (by: Bearer, body: object) => t.api.post('/tenants/current/invitations').set(by.bearer).send(body);
  const preview = (token: string) => t.api.get('/invitations/preview').query({ token });
  const accept = (by: Bearer, token: string) => t.api.post('/invitations/accept').set(by.bearer).send({ token });
  const register = (token: string, body: object = {}) =>
    t.api.post('/invitations/register').send({ token, name: 'Guest', password: PASSWORD, ...body });
  /** An invitation sent by the Owner, with the token from the email. */
  const invited = async (email: string, roleId?: string) => {
    const { body } = await invite(owner, { email, roleId }).expect(200);
    return { id: body.data.id as string, token: await t.mailbox.token(email) };
  };

  describe('sending', () => {
    it('invites as Member by default, with an email that links to the web client', async () => {
      const email = newAddress();
      const { body } = await invite(owner, { email: ` ${email.toUpperCase()} ` }).expect(200);
      expect(body.data).toEqual({
        id: expect.any(String),
        email,
        roleId: await t.actors.roleId(owner, 'Member'),
        role: 'Member',
        invitedBy: owner.user.id,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        mailDelayedUntil: null,
      });
      expect(Date.parse(body.data.expiresAt) - Date.parse(body.data.createdAt)).toBe(7 * DAY * 1000);
      expect((await t.mailbox.last(email)).text).toMatch(/http:\/\/localhost:5173\/invitation#token=[\w-]{43}\n/);
    });

    it('names the sender and the tenant, but not in the subject, to a recipient who has signed in before', async () => {
      const { email } = await t.actors.user();
      await invite(owner, { email }).expect(200);
      const mail = await t.mailbox.last(email);
      expect(mail.subject).toBe('You are invited to a workspace');
      expect(mail.text).toContain('“Olga” invited you to join the workspace “Engines & Sons” as “Member”.');
      expect(mail.text).toContain('You are in no workspace with this person.');
      expect(mail.html).toContain('Engines &amp; Sons');
    });

    it('names them in the subject to a recipient who shares another tenant with the sender', async () => {
      const elsewhere = await t.actors.owner();
      const colleague = await t.actors.member(elsewhere);
      await t.database.query(
        `INSERT INTO memberships (tenant_id, user_id, id, role_id, is_owner, joined_at)
         VALUES ($1, $2, gen_random_uuid(), $3, false, now())`,
        [elsewhere.tenantId, owner.user.id, await t.actors.roleId(elsewhere, 'Member')],
      );
      await invite(owner, { email: colleague.user.email }).expect(200);
      const mail = await t.mailbox.last(colleague.user.email);
      expect(mail.subject).toBe('Olga invited you to Engines & Sons');
      expect(mail.text).toContain('“Olga” invited you to join the workspace “Engines & Sons” as “Member”.');
      expect(mail.text).not.toContain('in no workspace');
      expect(mail.html).toContain('Engines &amp; Sons');
    });

    it('sends no text that the sender could have chosen to an address that has never signed in', async () => {
      const unverified = (await t.actors.user({ isEmailVerified: false })).email;
      for (const email of [newAddress(), unverified]) {
        await invite(owner, { email }).expect(200);
        const mail = await t.mailbox.last(email);
        expect(mail.subject).toBe('You are invited to a workspace');
        for (const part of [mail.text, mail.html]) expect(part).not.toMatch(/Olga|Engines|Member/);
      }
    });

    it('requires the permission to invite and every permission of the role', async () => {
      const inviter = await t.actors.member(owner, ['tenant.members.invite', 'tenant.projects.read']);
      const within = await t.actors.role(owner, ['tenant.projects.read']);
      expect(codeOf(await invite(await t.actors.member(owner), { email: newAddress() }).expect(403))).toBe('FORBIDDEN');
      for (const role of ['Owner', 'Admin', 'Member']) {
        const roleId = await t.actors.roleId(owner, role);
        expect(codeOf(await invite(inviter, { email: newAddress(), roleId }).expect(403))).toBe('PERMISSION_NOT_HELD');
      }
      expect(codeOf(await invite(inviter, { email: newAddress() }).expect(403))).toBe('PERMISSION_NOT_HELD');
      expect(
        codeOf(await invite(owner, { email: newAddress(), roleId: await t.actors.roleId(owner, 'Owner') }).expect(403)),
      ).toBe('PERMISSION_NOT_HELD');
      await invite(inviter, { email: newAddress(), roleId: within }).expect(200);
    });

    it('refuses members and addresses with a pending invitation', async () => {
      const member = await t.actors.member(owner);
      const email = newAddress();
      expect(codeOf(await invite(owner, { email: member.user.email }).expect(409))).toBe('ALREADY_MEMBER');
      await invite(owner, { email }).expect(200);
      expect(codeOf(await invite(owner, { email: email.toUpperCase() }).expect(409))).toBe('ALREADY_INVITED');
      await invite(await t.actors.owner(), { email }).expect(200);
    });

    it('creates one invitation from concurrent requests', async () => {
      const email = newAddress();
      const responses = await Promise.all([1, 2, 3, 4].map(() => invite(owner, { email })));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      await t.mailbox.last(email);
      expect(
        await t.database.query(`SELECT FROM audit_log WHERE action = 'invitation.sent' AND data ->> 'email' = $1`, [
          email,
        ]),
      ).toHaveLength(1);
    });

    it('refuses invalid addresses and unknown roles', async () => {
      expect((await invite(owner, { email: 'nobody' }).expect(400)).body.error.details).toHaveProperty('email');
      expect(
        (await invite(owner, { email: newAddress(), roleId: 'Admin' }).expect(400)).body.error.details,
      ).toHaveProperty('roleId');
      await invite(owner, { email: newAddress(), roleId: '00000000-0000-7000-8000-000000000000' }).expect(404);
    });

    it('stores nothing if the mail job cannot be enqueued', async () => {
      const email = newAddress();
      await t.database.query('ALTER FUNCTION graphile_worker.add_job RENAME TO add_job_away');
      await invite(owner, { email }).expect(500);
      await t.database.query('ALTER FUNCTION graphile_worker.add_job_away RENAME TO add_job');
      expect(await t.database.query('SELECT FROM invitations WHERE email = $1', [email])).toEqual([]);
      await invite(owner, { email }).expect(200);
    });
  });

  it('are previewed with the token, without being used up', async () => {
    const [known, unknown] = [await t.actors.user(), newAddress()];
    const { token } = await invited(unknown, await t.actors.roleId(owner, 'Admin'));
    for (let look = 0; look < 2; look++) {
      expect((await preview(token).expect(200)).body.data).toEqual({
        tenantName: 'Engines & Sons',
        inviterName: 'Olga',
        email: unknown,
        role: 'Admin',
        accountExists: false,
        expiresAt: expect.any(String),
      });
    }
    expect((await preview((await invited(known.email)).token).expect(200)).body.data.accountExists).toBe(true);
    expect(codeOf(await preview('guess').expect(400))).toBe('INVITATION_INVALID');
    expect(codeOf(await preview('').expect(400))).toBe('VALIDATION_ERROR');
  });

  it('expire after seven days and can then be replaced', async () => {
    const guest = await t.actors.signedInUser();
    const { token } = await invited(guest.user.email);
    t.clock.advance(7 * DAY - 60);
    await preview(token).expect(200);
    t.clock.advance(61);
    const signedIn = { ...guest, ...(await t.actors.signIn(guest.user.email)) };
    owner = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
    for (const response of [preview(token), accept(signedIn, token), register(token)])
      expect(codeOf(await response.expect(400))).toBe('INVITATION_EXPIRED');
    await invite(owner, { email: guest.user.email }).expect(200);
    expect(codeOf(await preview(token).expect(400))).toBe('INVITATION_INVALID');
    await accept(signedIn, await t.mailbox.token(guest.user.email, 2)).expect(200);
  });

  it('are resent for seven more days, with the link of the email that was delivered before', async () => {
    const guest = await t.actors.signedInUser();
    const { id, token } = await invited(guest.user.email);
    t.clock.advance(6 * DAY);
    owner = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
    const signedIn = { ...guest, ...(await t.actors.signIn(guest.user.email)) };
    const resend = (by: Bearer) => t.api.post(`/tenants/current/invitations/${id}/resend`).set(by.bearer);
    await resend(await t.actors.member(owner)).expect(403);
    expect((await resend(owner).expect(200)).body.data).toEqual({ mailDelayedUntil: null });
    await preview(token).expect(200);
    const renewed = await t.mailbox.token(guest.user.email, 2);
    expect(renewed).toBe(token);
    t.clock.advance(6 * DAY);
    await accept({ ...signedIn, ...(await t.actors.signIn(guest.user.email)) }, renewed).expect(200);
    owner = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
    await resend(owner).expect(404);
  });

  it('say until when their email waits for the limit of its recipient, and keep the delivered link', async () => {
    const [guest, other] = [await t.actors.signedInUser(), await t.actors.owner()];
    const { email } = guest.user;
    const { id, token } = await invited(email);
    const resend = () => t.api.post(`/tenants/current/invitations/${id}/resend`).set(owner.bearer).expect(200);
    for (const count of [2, 3]) {
      expect((await resend()).body.data).toEqual({ mailDelayedUntil: null });
      await t.mailbox.last(email, count);
    }
    const delayedUntil = Date.parse((await resend()).body.data.mailDelayedUntil);
    expect(delayedUntil - t.clock.now().getTime()).toBeGreaterThan(0);
    expect(delayedUntil - t.clock.now().getTime()).toBeLessThanOrEqual(MINUTE * 1000);
    await preview(token).expect(200);
    // the emails of this workspace do not delay that of another one
    expect((await invite(other, { email }).expect(200)).body.data.mailDelayedUntil).toBeNull();
    await t.mailbox.last(email, 4);
    await accept(guest, token).expect(200);
  });

  it('say until when their email waits for the limit of addresses that never signed in', async () => {
    const limited = await TestApp.start({ env: { MAIL_NEW_RECIPIENTS_PER_HOUR: '1', LOG_LEVEL: 'fatal' } });
    limited.clock.advance(HOUR - ((limited.clock.now().getTime() / 1000) % HOUR) + MINUTE);
    const by = await limited.actors.owner();
    const send = async (email: string) =>
      (await limited.api.post('/tenants/current/invitations').set(by.bearer).send({ email }).expect(200)).body.data;
    expect((await send('first@example.com')).mailDelayedUntil).toBeNull();
    await limited.mailbox.last('first@example.com');
    const delayedUntil = Date.parse((await send('second@example.com')).mailDelayedUntil);
    // half past the next hour, because this sender has used up its share
    expect(Math.floor((delayedUntil / 1000) % HOUR)).toBe(HOUR / 2);
    await limited.close();
  });

  it('can be revoked', async () => {
    const email = newAddress();
    const { id, token } = await invited(email);
    const revoke = (by: Bearer) => t.api.delete(`/tenants/current/invitations/${id}`).set(by.bearer);
    await revoke(await t.actors.member(owner)).expect(403);
    expect((await revoke(owner).expect(200)).body.data).toBeNull();
    await revoke(owner).expect(404);
    expect(codeOf(await register(token).expect(400))).toBe('INVITATION_INVALID');
  });

  it('are revoked when their role is deleted, and listed in the answer and the audit log', async () => {
    const guest = await t.actors.signedInUser();
    const roleId = await t.actors.role(owner, ['tenant.projects.read'], 'Passing');
    const { id, token } = await invited(guest.user.email, roleId);
    const { body } = await t.api.delete(`/tenants/current/roles/${roleId}`).set(owner.bearer).expect(200);
    expect(body.data).toEqual({ revokedInvitations: 1, invitations: [{ id, email: guest.user.email }] });
    expect(codeOf(await accept(guest, token).expect(400))).toBe('INVITATION_INVALID');
    const log = await t.api.get('/tenants/current/audit-log?limit=2').set(owner.bearer).expect(200);
    expect(log.body.data.items.map(({ action }: { action: string }) => action)).toEqual([
      'role.deleted',
      'invitation.revoked',
    ]);
    expect(log.body.data.items[0].data).toEqual({ name: 'Passing', revokedInvitations: 1 });
    expect(log.body.data.items[1]).toMatchObject({ targetId: id, data: { email: guest.user.email } });
  });

  it('are revoked when a member changes to their address, and others stay', async () => {
    const company = await t.actors.owner({ plan: 'Pro' });
    const member = await t.actors.member(company);
    const address = newAddress();
    const invite = async (by: Bearer) =>
      (await t.api.post('/tenants/current/invitations').set(by.bearer).send({ email: address }).expect(200)).body.data;
    const [useless, elsewhere] = [await invite(company), await invite(owner)];
    await new EmailChanges(t).change(member, member.user.email, address);
    const pending = async (by: Bearer) =>
      (await t.api.get('/tenants/current/invitations').set(by.bearer).expect(200)).body.data.items;
    expect(await pending(company)).toEqual([]);
    expect(await pending(owner)).toContainEqual(expect.objectContaining({ id: elsewhere.id }));
    const log = await t.api.get('/tenants/current/audit-log?limit=1').set(company.bearer).expect(200);
    expect(log.body.data.items[0]).toMatchObject({
      action: 'invitation.revoked',
      actorId: member.user.id,
      targetId: useless.id,
    });
  });

  it('can be resent only by users who could have sent them', async () => {
    const { id } = await invited(newAddress(), await t.actors.roleId(owner, 'Admin'));
    const inviter = await t.actors.member(owner, ['tenant.members.invite']);
    const response = await t.api.post(`/tenants/current/invitations/${id}/resend`).set(inviter.bearer).expect(403);
    expect(codeOf(response)).toBe('PERMISSION_NOT_HELD');
  });

  it('are not created for a user who is accepting an earlier one at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const guest = await t.actors.signedInUser();
      const { token } = await invited(guest.user.email);
      const requests = [() => accept(guest, token), () => invite(owner, { email: guest.user.email })];
      const responses = await Promise.all((round % 2 ? requests : [...requests].reverse()).map((request) => request()));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await t.database.query('SELECT FROM invitations WHERE email = $1', [guest.user.email])).toEqual([]);
    }
  });

  it('do not deadlock with the deletion of their tenant', async () => {
    for (let round = 0; round < 10; round++) {
      const other = await t.actors.owner();
      const guest = await t.actors.signedInUser();
      await invite(other, { email: guest.user.email }).expect(200);
      const token = await t.mailbox.token(guest.user.email);
      const requests = [
        () => t.api.delete('/tenants/current').set(other.bearer),
        () => invite(other, { email: newAddress() }),
        () => accept(guest, token),
        () => t.api.delete('/tenants/current').set(other.bearer),
      ];
      const shift = round % 4;
      const responses = await Promise.all(
        [...requests.slice(shift), ...requests.slice(0, shift)].map((request) => request()),
      );
      for (const { status } of responses) expect([200, 400, 401, 403, 404]).toContain(status);
      const rows = () => t.database.query('SELECT FROM tenants WHERE id = $1', [other.tenantId]);
      await eventually(async () => (await rows()).length === 0 || undefined, 'the tenant removed');
    }
  });

  it('leave no member without a role if the role is deleted while they are being accepted', async () => {
    for (let round = 0; round < 16; round++) {
      const guest = await t.actors.signedInUser();
      const roleId = await t.actors.role(owner, ['tenant.projects.read']);
      const { token } = await invited(guest.user.email, roleId);
      const remove = () => t.api.delete(`/tenants/current/roles/${roleId}`).set(owner.bearer);
      const responses = await Promise.all(
        round % 2 ? [accept(guest, token), remove()] : [remove(), accept(guest, token)],
      );
      const [accepted, removed] = round % 2 ? responses : [...responses].reverse();
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([accepted.status, removed.status]);
    }
  });

  it('are listed while pending, newest first', async () => {
    const other = await t.actors.owner();
    for (const email of ['one@example.com', 'two@example.com']) await invite(other, { email }).expect(200);
    const { body } = await t.api.get('/tenants/current/invitations').set(other.bearer).expect(200);
    expect(body.data.items.map(({ email }: { email: string }) => email)).toEqual([
      'two@example.com',
      'one@example.com',
    ]);
    expect(body.data.items[0]).toMatchObject({ role: 'Member', invitedBy: other.user.id });
    expect(JSON.stringify(body)).not.toContain('token');
    await t.api
      .get('/tenants/current/invitations')
      .set((await t.actors.member(other)).bearer)
      .expect(403);
  });

  it('leave no token in the queue, in the logs and in the database', async () => {
    const email = newAddress();
    const { token } = await invited(email);
    await preview(token).expect(200);
    const rows = await t.database.query<{ all: string }>(
      `SELECT concat((SELECT string_agg(payload::text, '')
        FROM graphile_worker._private_jobs), (SELECT string_agg(i::text, '') FROM invitations i)) AS all`,
    );
    expect(rows[0].all).toContain(email);
    expect(rows[0].all).not.toContain(token);
    expect(t.logLines.join('')).toContain('/api/v1/invitations/preview');
    expect(t.logLines.join('')).not.toContain(token);
  });

  it('are purged a month after they expired, for every tenant', async () => {
    const other = await t.actors.owner();
    await invite(other, { email: 'late@example.com' }).expect(200);
    const count = async () =>
      (await t.database.query('SELECT FROM invitations WHERE email = $1', ['late@example.com'])).length;
    const purge = () => t.nest.get(CommandBus).execute(new PurgeInvitations());
    t.clock.advance(36 * DAY);
    await purge();
    expect(await count()).toBe(1);
    t.clock.advance(2 * DAY);
    await purge();
    expect(await count()).toBe(0);
  });
});

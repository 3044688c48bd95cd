import { CommandBus } from '@nestjs/cqrs';
import { IdentityProvider } from '../../../dev/identity-provider';
import { PurgeEmailChanges } from '../../../src/accounts/email-change/commands/purge-email-changes';
import { SendEmailChangedMail } from '../../../src/accounts/email-change/commands/send-email-changed-mail';
import { DAY, HOUR } from '../../../src/platform/clock';
import { PASSWORD, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { Browser } from '../../support/browser';
import { EmailChanges, newAddress } from '../../support/email-changes';
import { codeOf } from '../../support/error-code';
import { SoftwareAuthenticator } from '../../support/software-authenticator';
import { someone } from '../../support/provider-users';
import { expectSessionEnd } from '../../support/session-end';

describe('undoing the change of an email address', () => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  let changes: EmailChanges;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider });
    changes = new EmailChanges(t);
  });
  afterAll(() => t.close());

  const logIn = (email: string) => t.api.post('/auth/login').send({ email, password: PASSWORD });
  const rowsOf = (table: string, { user: { id } }: SignedInUser) =>
    t.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [id]);
  /** An account whose address was changed from `a` to `b` and then to `c`. */
  const chain = async () => {
    const thief = await t.actors.signedInUser();
    const [a, b, c] = [thief.user.email, newAddress('thief'), newAddress('thief')];
    const undoA = await changes.change(thief, a, b);
    return { thief, a, b, c, undoA, undoB: await changes.change(thief, b, c) };
  };

  it('restores the address and leaves its mailbox as the only way in', async () => {
    const thief = await t.actors.signedInUser();
    const { email } = thief.user;
    await SoftwareAuthenticator.enrol(t, thief);
    await AuthenticatorApp.enrol(t, thief);
    const address = newAddress('thief');
    const token = await changes.change(thief, email, address);
    await t.database.query(
      `INSERT INTO linked_providers (provider, provider_user_id, user_id, linked_at)
         VALUES ('google', 'g-thief', $1, now())`,
      [thief.user.id],
    );
    const { headers } = await changes.undo(token).expect(200);
    expect(headers['set-cookie']).toBeUndefined();
    expect(await changes.addressOf(thief)).toBe(email);
    for (const table of ['linked_providers', 'passkeys', 'totp_factors', 'recovery_codes', 'email_changes'])
      expect([table, await rowsOf(table, thief)]).toEqual([table, []]);
    await expectSessionEnd(() => t.api.get('/auth/me').set(thief.bearer));
    for (const known of [email, address]) await logIn(known).expect(401);
    await t.mailbox.titled(email, 'Your account was secured');
    const told = await t.mailbox.titled(address, 'The change of your email address was undone');
    expect(told.text + told.html).not.toContain(email);
    await t.api.post('/auth/password/forgot').send({ email }).expect(200);
    const reset = await t.mailbox.titled(email, 'Reset your password');
    const password = 'another long phrase';
    const body = { token: /token=([\w-]+)/.exec(reset.text)![1], password };
    await t.api.post('/auth/password/reset').send(body).expect(200);
    await t.api.post('/auth/login').send({ email, password }).expect(200);
    const audited = `SELECT action, data FROM audit_log WHERE target_id = $1
      AND action = ANY('{user.account-secured,user.email-change-undone}') ORDER BY action`;
    expect(await t.database.query(audited, [thief.user.id])).toEqual([
      { action: 'user.account-secured', data: {} },
      { action: 'user.email-change-undone', data: {} },
    ]);
  });

  it('keeps a second factor that the account had long before the change', async () => {
    const actor = await t.actors.signedInUser();
    const { email } = actor.user;
    await AuthenticatorApp.enrol(t, actor);
    const token = await changes.change(actor, email, newAddress());
    const confirmed = new Date(t.clock.now().getTime() - 4 * DAY * 1000);
    await t.database.query('UPDATE totp_factors SET confirmed_at = $1 WHERE user_id = $2', [confirmed, actor.user.id]);
    await changes.undo(token).expect(200);
    expect(await rowsOf('totp_factors', actor)).toHaveLength(1);
  });

  it('works once, also when the token is sent twice at once', async () => {
    const actor = await t.actors.signedInUser();
    const token = await changes.change(actor, actor.user.email, newAddress());
    const undone = await Promise.all(Array.from({ length: 4 }, () => changes.undo(token)));
    expect(undone.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(codeOf(await changes.undo(token).expect(400))).toBe('UNDO_TOKEN_INVALID');
    expect(codeOf(await changes.undo('nonsense').expect(400))).toBe('UNDO_TOKEN_INVALID');
    expect(codeOf(await t.api.post('/auth/email-change/undo').send({}).expect(400))).toBe('VALIDATION_ERROR');
  });

  it('is possible for 72 hours, and the address is forgotten 30 days later', async () => {
    const actor = await t.actors.signedInUser();
    const email = newAddress();
    const token = await changes.change(actor, actor.user.email, email);
    t.clock.advance(3 * DAY + 1);
    expect(codeOf(await changes.undo(token).expect(400))).toBe('UNDO_TOKEN_EXPIRED');
    const purge = () => t.nest.get(CommandBus).execute(new PurgeEmailChanges());
    await purge();
    expect(await rowsOf('email_change_requests', actor)).toEqual([]);
    expect(codeOf(await changes.undo(token).expect(400))).toBe('UNDO_TOKEN_EXPIRED');
    t.clock.advance(30 * DAY);
    await purge();
    expect(codeOf(await changes.undo(token).expect(400))).toBe('UNDO_TOKEN_INVALID');
    expect(await changes.addressOf(actor)).toBe(email);
  });

  it('of the first of several changes ends the others', async () => {
    const { thief, a, undoA, undoB } = await chain();
    await changes.undo(undoA).expect(200);
    expect(codeOf(await changes.undo(undoB).expect(400))).toBe('UNDO_TOKEN_INVALID');
    expect(await changes.addressOf(thief)).toBe(a);
  });

  it('of a later change never beats that of an earlier one', async () => {
    const { thief, a, b, undoA, undoB } = await chain();
    await changes.undo(undoB).expect(200);
    expect(await changes.addressOf(thief)).toBe(b);
    await changes.undo(undoA).expect(200);
    expect(await changes.addressOf(thief)).toBe(a);
    const both = await chain();
    await Promise.all([changes.undo(both.undoA).expect(200), changes.undo(both.undoB)]);
    expect(await changes.addressOf(both.thief)).toBe(both.a);
  });

  it('of an earlier change is possible for as long as that of a later one', async () => {
    const thief = await t.actors.signedInUser();
    const [a, b] = [thief.user.email, newAddress('thief')];
    const undoA = await changes.change(thief, a, b);
    t.clock.advance(71 * HOUR);
    const later = await t.actors.refreshed(thief);
    await t.actors.stepUp(later);
    const undoB = await changes.change(later, b, a); // back, so that nobody becomes suspicious
    t.clock.advance(71 * HOUR);
    await changes.undo(undoB).expect(200);
    await changes.undo(undoA).expect(200);
    expect(await changes.addressOf(thief)).toBe(a);
  });

  it('does not return to an address that another account has proven, but keeps its token', async () => {
    const actor = await t.actors.signedInUser();
    const { email } = actor.user;
    const token = await changes.change(actor, email, newAddress());
    const { accessToken } = await new Browser(t).signIn('google', someone({ email }));
    expect(codeOf(await changes.undo(token).expect(409))).toBe('EMAIL_TAKEN');
    await t.api.get('/auth/me').set(actor.bearer).expect(200);
    const other = { bearer: { Authorization: `Bearer ${accessToken}` } };
    const elsewhere = newAddress();
    await changes.request(other, elsewhere).expect(200);
    await changes.confirm(other, await changes.code(elsewhere)).expect(200);
    await changes.undo(token).expect(200);
    expect(await changes.addressOf(actor)).toBe(email);
  });

  it('deletes an unverified account that was registered with the address in the meantime', async () => {
    const actor = await t.actors.signedInUser();
    const { email } = actor.user;
    const token = await changes.change(actor, email, newAddress());
    await t.api.post('/auth/register').send({ email, password: PASSWORD, name: 'Mallory' }).expect(201);
    await changes.undo(token).expect(200);
    expect(await changes.addressOf(actor)).toBe(email);
  });

  it('can wait for the mail server, which delays the email and not the change', async () => {
    const slow = await TestApp.start({ env: { LOG_LEVEL: 'fatal', WORKER: 'off' } });
    const actor = await slow.actors.signedInUser();
    const { id, email } = actor.user;
    const at = slow.clock.now();
    await slow.database.query(
      `INSERT INTO email_changes (id, user_id, number, old_email, changed_at, undo_until)
         VALUES ($1, $1, 1, $2, $3, $3)`,
      [id, email, at],
    );
    await slow.database.query(`UPDATE users SET email = 'moved@example.com' WHERE id = $1`, [id]);
    const send = () => slow.nest.get(CommandBus).execute(new SendEmailChangedMail(id, 'Chrome on Windows'));
    await slow.mailbox.stop();
    for (let attempt = 0; attempt < 2; attempt++) await expect(send()).rejects.toThrow();
    await slow.mailbox.start();
    slow.clock.advance(DAY);
    await send();
    const first = await new EmailChanges(slow).token(email);
    await send(); // the response to the attempt before was lost
    expect(await new EmailChanges(slow).token(email, 2)).toBe(first);
    slow.clock.advance(3 * DAY - 1);
    await slow.api.post('/auth/email-change/undo').send({ token: first }).expect(200);
    await slow.close();
  });
});

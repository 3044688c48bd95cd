import { DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import { OneTimeTokenRepository } from '../../../src/auth/data/one-time-token.repository';
import { bearer, PASSWORD, type Pair } from '../../support/actors';
import { TestApp } from '../../support/app';
import { EmailChanges, newAddress, wrong } from '../../support/email-changes';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsLeft } from '../../support/job-queue';
import { expectSessionEnd } from '../../support/session-end';

describe('attacks on the change of an email address', () => {
  let t: TestApp;
  let changes: EmailChanges;
  beforeAll(async () => {
    t = await TestApp.start();
    changes = new EmailChanges(t);
  });
  afterAll(() => t.close());

  /** Signs in on a new device. @returns the tokens, and that of the link "This was not me" */
  const signInElsewhere = async (email: string) => {
    const { body } = await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
    const { text } = await t.mailbox.titled(email, 'New sign-in to your account');
    return { pair: (body as { data: Pair }).data, token: /secure-account#token=([\w-]+)/.exec(text)![1] };
  };
  const recordsOf = (userId: string) => t.database.query('SELECT FROM email_changes WHERE user_id = $1', [userId]);

  it('cannot confirm an address with the code of another one, requested before or at the same time', async () => {
    const actor = await t.actors.signedInUser();
    const [own, foreign] = [newAddress('own'), newAddress('foreign')];
    await changes.request(actor, own).expect(200);
    const code = await changes.code(own);
    const request = t.api.post('/users/me/email').set(actor.bearer).send({ email: foreign });
    const [, confirmed] = await Promise.all([request.expect(200), changes.confirm(actor, code)]);
    expect([200, 401]).toContain(confirmed.status);
    expect(await changes.addressOf(actor)).toBe(confirmed.status === 200 ? own : actor.user.email);
    await changes.code(foreign);
    expect(codeOf(await changes.confirm(actor, code).expect(401))).toBe('EMAIL_CODE_INVALID');
    expect(await changes.addressOf(actor)).not.toBe(foreign);
  });

  it('refuses the code of an earlier request although the email of the newer one was not sent yet', async () => {
    const actor = await t.actors.signedInUser();
    const [own, foreign] = [newAddress('own'), newAddress('foreign')];
    await changes.request(actor, own).expect(200);
    const code = await changes.code(own);
    await t.database.query('UPDATE email_change_requests SET email = $1 WHERE user_id = $2', [foreign, actor.user.id]);
    expect(codeOf(await changes.confirm(actor, code).expect(401))).toBe('EMAIL_CODE_INVALID');
  });

  it('refuses a code if another address is requested while it is being confirmed', async () => {
    const actor = await t.actors.signedInUser();
    const [own, foreign] = [newAddress('own'), newAddress('foreign')];
    await changes.request(actor, own).expect(200);
    const code = await changes.code(own);
    const another = `
      WITH account AS (SELECT id FROM users WHERE id = $1 FOR UPDATE)
      UPDATE email_change_requests r SET email = $2 FROM account WHERE r.user_id = account.id`;
    const confirmed = await t.database.inTheMidstOf(another, [actor.user.id, foreign], () =>
      changes.confirm(actor, code),
    );
    expect([confirmed.status, codeOf(confirmed)]).toEqual([401, 'EMAIL_CODE_INVALID']);
    expect(await changes.addressOf(actor)).toBe(actor.user.email);
  });

  it('takes one of several simultaneous uses of a code, and changes the address once', async () => {
    const actor = await t.actors.signedInUser();
    const email = newAddress();
    await changes.request(actor, email).expect(200);
    const code = await changes.code(email);
    const used = await Promise.all(Array.from({ length: 3 }, () => changes.confirm(actor, code)));
    expect(used.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(await recordsOf(actor.user.id)).toHaveLength(1);
  });

  it('gives an address to one of two accounts that prove it at the same time', async () => {
    const [one, two] = [await t.actors.signedInUser(), await t.actors.signedInUser()];
    const email = newAddress();
    await changes.request(one, email).expect(200);
    const codeOfOne = await changes.code(email);
    await changes.request(two, email).expect(200);
    const codeOfTwo = await changes.code(email, 2);
    const answers = await Promise.all([changes.confirm(one, codeOfOne), changes.confirm(two, codeOfTwo)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(codeOf(answers.find(({ status }) => status === 409)!)).toBe('EMAIL_TAKEN');
    const loser = answers[0].status === 200 ? two : one;
    expect(await changes.addressOf(loser)).toBe(loser.user.email);
    expect(await recordsOf(loser.user.id)).toEqual([]);
  });

  it('is stronger than registrations of the address at the same time, and so is undoing it', async () => {
    const actor = await t.actors.signedInUser();
    const [old, email] = [actor.user.email, newAddress()];
    await changes.request(actor, email).expect(200);
    const code = await changes.code(email);
    const register = (address: string) =>
      t.api.post('/auth/register').send({ email: address, password: PASSWORD, name: 'Mallory' });
    const owners = (address: string) => t.database.query('SELECT id FROM users WHERE email = $1', [address]);
    const [, confirmed] = await Promise.all([register(email), changes.confirm(actor, code), register(email)]);
    expect([confirmed.status, await owners(email)]).toEqual([200, [{ id: actor.user.id }]]);
    const token = await changes.token(old);
    const [, undone] = await Promise.all([register(old), changes.undo(token), register(old)]);
    expect([undone.status, await owners(old)]).toEqual([200, [{ id: actor.user.id }]]);
  });

  it('cannot be guessed with ever new codes: an account has ten requests in a day, also at once', async () => {
    const thief = await t.actors.signedInUser();
    const requests = Array.from({ length: 12 }, () => changes.request(thief, newAddress('foreign')));
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect([codeOf(refused), Number(refused.headers['retry-after'])]).toEqual(['RATE_LIMITED', expect.any(Number)]);
    t.clock.advance(DAY - HOUR);
    const [later, email] = [await t.actors.refreshed(thief), newAddress()];
    await t.actors.stepUp(later);
    await changes.request(later, email).expect(429);
    t.clock.advance(HOUR);
    const next = await t.actors.refreshed(later);
    await t.actors.stepUp(next);
    await changes.request(next, email).expect(200);
    const code = await changes.code(email);
    await t.api.delete('/auth/sessions').set(next.bearer).expect(200); // withdraws the code, not the count
    await changes.confirm(next, code).expect(401);
    for (let i = 0; i < 9; i++) await changes.request(next, newAddress('foreign')).expect(200);
    await changes.request(next, email).expect(429);
  });

  it('is limited to five changes that can be undone', async () => {
    const thief = await t.actors.signedInUser();
    let from = thief.user.email;
    for (let i = 0; i < 5; i++) {
      const to = newAddress('thief');
      await changes.change(thief, from, to);
      from = to;
    }
    expect(codeOf(await changes.request(thief, newAddress()).expect(409))).toBe('LIMIT_REACHED');
    await changes.undo(await changes.token(thief.user.email)).expect(200);
    expect(await changes.addressOf(thief)).toBe(thief.user.email);
    expect(await recordsOf(thief.user.id)).toEqual([]);
  });

  it('leaves a link worth nothing that was being mailed to the earlier address during the change', async () => {
    const thief = await t.actors.signedInUser();
    const { id, email } = thief.user;
    const address = newAddress('thief');
    const tokens = t.nest.get(OneTimeTokenRepository);
    const undo = await changes.change(thief, email, address);
    const late = await tokens.issue(id, 'magic-link', { mailedTo: email });
    const signIn = (token: string) => t.api.post('/auth/magic-link/verify').send({ token });
    expect(codeOf(await signIn(late).expect(400))).toBe('MAGIC_LINK_INVALID');
    const ofThief = await tokens.issue(id, 'magic-link', { mailedTo: address });
    await changes.undo(undo).expect(200);
    const afterwards = await tokens.issue(id, 'password-reset', { mailedTo: address });
    expect(codeOf(await signIn(ofThief).expect(400))).toBe('MAGIC_LINK_INVALID');
    const reset = t.api.post('/auth/password/reset').send({ token: afterwards, password: 'another long phrase' });
    expect(codeOf(await reset.expect(400))).toBe('RESET_TOKEN_INVALID');
    const own = await tokens.issue(id, 'magic-link', { mailedTo: email });
    await signIn(own).expect(200);
  });

  it('leaves the thief no link "This was not me" with which to end the sessions of the owner', async () => {
    const thief = await t.actors.signedInUser();
    const { email } = thief.user;
    const address = newAddress('thief');
    const undo = await changes.change(thief, email, address);
    const body = { currentPassword: PASSWORD, newPassword: 'another long phrase' };
    await t.api.put('/auth/password').set(thief.bearer).send(body).expect(200);
    const { text } = await t.mailbox.titled(address, 'Your password was changed');
    await changes.undo(undo).expect(200);
    const token = /secure-account#token=([\w-]+)/.exec(text)![1];
    expect(codeOf(await t.api.post('/auth/secure-account').send({ token }).expect(400))).toBe('RESET_TOKEN_INVALID');
  });

  it('is undone by the link "This was not me" in an earlier email to the victim, once, and not too late', async () => {
    const user = await t.actors.user();
    const { email } = user;
    const { pair, token } = await signInElsewhere(email);
    const thief = { ...pair, user, bearer: bearer(pair.accessToken) };
    const secure = () => t.api.post('/auth/secure-account').send({ token });
    const undo = await changes.change(thief, email, newAddress('thief'));
    const answers = await Promise.all([secure(), secure(), secure()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await changes.addressOf(thief)).toBe(email);
    expect(codeOf(await secure().expect(400))).toBe('RESET_TOKEN_INVALID');
    expect(codeOf(await changes.undo(undo).expect(400))).toBe('UNDO_TOKEN_INVALID');
    await expectSessionEnd(() => t.api.get('/auth/me').set(thief.bearer));
    await t.mailbox.titled(email, 'Your account was secured');
  });

  it('is not undone by such a link after 72 hours', async () => {
    const actor = await t.actors.signedInUser();
    const { email } = actor.user;
    const { token } = await signInElsewhere(email);
    const address = newAddress();
    await changes.change(actor, email, address);
    t.clock.advance(3 * DAY + 1);
    const late = t.api.post('/auth/secure-account').send({ token });
    expect(codeOf(await late.expect(400))).toBe('RESET_TOKEN_INVALID');
    expect(await changes.addressOf(actor)).toBe(address);
  });

  it('that was requested before the change was undone cannot be completed afterwards', async () => {
    const thief = await t.actors.signedInUser();
    const { email } = thief.user;
    const undo = await changes.change(thief, email, newAddress('thief'));
    const next = newAddress('thief');
    await changes.request(thief, next).expect(200);
    const code = await changes.code(next);
    const [undone, confirmed] = await Promise.all([changes.undo(undo), changes.confirm(thief, code)]);
    expect(undone.status).toBe(200);
    expect([200, 401]).toContain(confirmed.status);
    await changes.confirm(thief, code).expect(401);
    expect(await changes.addressOf(thief)).toBe(email);
    expect(await recordsOf(thief.user.id)).toEqual([]);
  });

  it('does not send a code for an address that is no longer requested', async () => {
    const actor = await t.actors.signedInUser();
    const email = newAddress();
    for (let i = 0; i < 3; i++)
      await changes
        .request(actor, email)
        .expect(200)
        .then(() => changes.code(email, i + 1));
    await changes.request(actor, email).expect(200); // waits for a minute, because three were sent
    const last = newAddress();
    await changes.request(actor, last).expect(200);
    const code = await changes.code(last);
    t.clock.advance(MINUTE);
    await t.database.query('SELECT graphile_worker.reschedule_jobs(array_agg(id), now()) FROM graphile_worker.jobs');
    await untilNoJobIsLeft(t);
    expect(t.mailbox.to(email)).toHaveLength(3);
    await changes.confirm(actor, wrong(code)).expect(401);
    await changes.confirm(actor, code).expect(200);
    expect(await changes.addressOf(actor)).toBe(last);
  });
});

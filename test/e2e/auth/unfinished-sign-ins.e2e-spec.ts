import { CommandBus } from '@nestjs/cqrs';
import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import { RecordUnfinishedSignIns } from '../../../src/auth/commands/record-unfinished-sign-ins';
import { MINUTE } from '../../../src/platform/clock';
import { PASSWORD, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsDue } from '../../support/job-queue';

const SUBJECT = 'A sign-in to your account was not completed';
const FIREFOX = 'Firefox/130.0 (Windows NT 10.0)';
const SAFARI = 'Safari/605.1 (iPhone)';

/** The first factor was right, and nothing followed (docs/contract.md, Security emails). */
describe('a sign-in without its second factor', () => {
  let t: TestApp;
  let actor: SignedInUser;
  let app: AuthenticatorApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    actor = await t.actors.signedInUser();
    app = await AuthenticatorApp.enrol(t, actor);
  });

  const logIn = (browser: string, password = PASSWORD, cookie = '') =>
    t.api
      .post('/auth/login')
      .set({ 'User-Agent': browser, Cookie: cookie })
      .send({ email: actor.user.email, password });
  const ticketOf = async (browser: string): Promise<string> =>
    (await logIn(browser).expect(200)).body.data.secondFactor.ticket;
  const complete = (ticket: string, browser: string) =>
    t.api.post('/auth/second-factor').set('User-Agent', browser).send({ ticket, code: app.nextCode() });
  const waitingReports = () =>
    t.database.query(
      `SELECT run_at - now() BETWEEN interval '5 minutes' AND interval '6 minutes' AS "isLater"
         FROM graphile_worker._private_jobs WHERE key = $1`,
      [`unfinished-sign-ins:${actor.user.id}`],
    );
  const report = async (): Promise<void> => {
    await t.nest.get(CommandBus).execute(new RecordUnfinishedSignIns(actor.user.id));
    await untilNoJobIsDue(t);
  };
  const entries = () =>
    t.database.query(
      `SELECT actor_id AS "actorId", data FROM audit_log
        WHERE action = 'user.sign-in-not-completed' AND target_id = $1 ORDER BY id`,
      [actor.user.id],
    );
  const mails = () => t.mailbox.to(actor.user.email).filter(({ subject }) => subject === SUBJECT);
  const deviceIn = (headers: Record<string, unknown>) =>
    (headers['set-cookie'] as string[]).find((cookie) => cookie.startsWith('device='))!.split(';')[0];

  it('is reported by one job after the ticket has expired, once, with the device but not before', async () => {
    await ticketOf(FIREFOX);
    await ticketOf(SAFARI);
    expect(await waitingReports()).toEqual([{ isLater: true }]);
    await report();
    expect([await entries(), mails()]).toEqual([[], []]); // the tickets can still be used
    t.clock.advance(5 * MINUTE);
    await report();
    const data = { method: 'password', ip: '127.0.0.1', isKnownBrowser: false };
    expect(await entries()).toEqual([
      { actorId: null, data: { ...data, device: 'Safari on iPhone' } },
      { actorId: null, data: { ...data, device: 'Firefox on Windows' } },
    ]);
    expect(mails()).toHaveLength(1);
    expect(mails()[0].text).toContain('Safari on iPhone');
    await report();
    expect([await entries(), mails()]).toMatchObject([{ length: 2 }, { length: 1 }]);
  });

  it('lets the owner of the account end every access with the link of the email', async () => {
    await ticketOf(SAFARI);
    t.clock.advance(5 * MINUTE);
    await report();
    const [, token] = /secure-account#token=([\w-]+)/.exec(mails()[0].text)!;
    await t.api.post('/auth/secure-account').send({ token }).expect(200);
    await logIn(SAFARI).expect(401);
  });

  it('is not reported if the sign-in was completed, also with a later ticket of the same browser', async () => {
    const abandoned = await ticketOf(FIREFOX);
    await complete(await ticketOf(FIREFOX), FIREFOX).expect(200);
    expect(codeOf(await complete(abandoned, FIREFOX).expect(401))).toBe('TICKET_INVALID');
    t.clock.advance(5 * MINUTE);
    await report();
    expect([await entries(), mails()]).toEqual([[], []]);
  });

  it('is reported even if a sign-in with another browser was completed in the meantime', async () => {
    await ticketOf(SAFARI);
    await complete(await ticketOf(FIREFOX), FIREFOX).expect(200);
    t.clock.advance(5 * MINUTE);
    await report();
    expect(await entries()).toHaveLength(1);
    expect(mails()).toHaveLength(1);
  });

  it('is recorded without an email if the browser is known', async () => {
    const done = await complete(await ticketOf(FIREFOX), FIREFOX).expect(200);
    await logIn(FIREFOX, PASSWORD, deviceIn(done.headers)).expect(200);
    t.clock.advance(5 * MINUTE);
    await report();
    expect(await entries()).toMatchObject([{ data: { isKnownBrowser: true } }]);
    expect(mails()).toEqual([]);
  });

  it('is no sign-in with a wrong password, and the daily purge does not delete what is not reported yet', async () => {
    await logIn(SAFARI, 'not the password').expect(401);
    expect(await waitingReports()).toEqual([]);
    await ticketOf(SAFARI);
    t.clock.advance(6 * MINUTE);
    await t.nest.get(CommandBus).execute(new PurgeExpired());
    await report();
    expect(await entries()).toHaveLength(1);
  });
});

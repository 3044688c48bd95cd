import { SMTPServer } from 'smtp-server';
import { DAY } from '../../../src/platform/clock';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { untilNoJobIsDue } from '../../support/job-queue';

describe('A mail server that rejects', () => {
  let server: SMTPServer;
  let refused: string[];
  let rejection: { responseCode: number };
  let t: TestApp;

  beforeEach(async () => {
    refused = [];
    rejection = { responseCode: 550 };
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) => {
        refused.push(address);
        done(Object.assign(new Error('no such user'), rejection));
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as { port: number };
    t = await TestApp.start({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'fatal' } });
  });
  afterEach(async () => {
    await t.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });

  it('a recipient permanently is tried once, and for 30 days gets verification mails only', async () => {
    const { email } = await t.actors.user();
    const send = () => t.api.post('/auth/magic-link/request').send({ email }).expect(200);
    await send();
    await eventually(() => refused[0], 'the first attempt');
    await untilNoJobIsDue(t);
    await send();
    await untilNoJobIsDue(t);
    expect(refused).toEqual([email]);
    expect(await t.database.query('SELECT FROM one_time_tokens')).toEqual([]); // nobody got the link
    t.clock.advance(30 * DAY + 1);
    await send();
    await eventually(() => refused[1], 'an attempt after 30 days');
  });

  it('a new address permanently still gets verification mails', async () => {
    await t.api
      .post('/auth/register')
      .send({ email: 'typo@example.com', password: 'correct horse battery', name: 'T' })
      .expect(201);
    await eventually(() => refused[0], 'the first attempt');
    await untilNoJobIsDue(t);
    await t.api.post('/auth/resend-verification').send({ email: 'typo@example.com' }).expect(200);
    await eventually(() => refused[1], 'the second attempt');
  });

  it('a mail temporarily is tried again', async () => {
    rejection = { responseCode: 451 };
    const { email } = await t.actors.user();
    await t.api.post('/auth/magic-link/request').send({ email }).expect(200);
    await eventually(
      async () =>
        (
          await t.database.query(
            'SELECT FROM graphile_worker._private_jobs WHERE attempts = 1 AND last_error IS NOT NULL',
          )
        )[0],
      'a failed attempt',
    );
    await t.database.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL');
    await eventually(() => refused[1], 'the second attempt');
  });
});

import { CommandBus, type Command } from '@nestjs/cqrs';
import { CompleteErasure } from '../../../src/accounts/deletion/commands/complete-erasure';
import { DeleteAccount } from '../../../src/accounts/deletion/commands/delete-account';
import { DeleteDueAccounts } from '../../../src/accounts/deletion/commands/delete-due-accounts';
import { SendAccountDeletedMail } from '../../../src/accounts/deletion/commands/send-account-deleted-mail';
import { DAY, MINUTE } from '../../../src/platform/clock';
import { newId } from '../../../src/platform/ids';
import { PASSWORD, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';

/** An email that waits for the mail server. */
const ADD_MAIL = `SELECT graphile_worker.add_job('send-link-mail', json_build_object('command',
  json_build_object('email', $1::text, 'purpose', 'password-reset')))`;

const ADD_EVENT = `
  INSERT INTO webhook_events (id, event_id, type, status, tenant_id, created_at, received_at, payload)
  VALUES (gen_random_uuid(), gen_random_uuid(), 'invoice.paid', 'processed', $1, now(), now(), $2)`;

/** The jobs are run by the tests, one by one. */
describe('The erasure of a deleted account', () => {
  let t: TestApp;
  beforeEach(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
  });
  afterEach(() => t.close());

  const run = <R>(command: Command<R>) => t.nest.get(CommandBus).execute(command);
  const due = async <A extends SignedInUser>(actor: A): Promise<A> => {
    await t.database.query('UPDATE users SET deletes_at = $2 WHERE id = $1', [actor.user.id, t.clock.now()]);
    return actor;
  };
  const deleted = async <A extends SignedInUser>(actor: A): Promise<A> => {
    await run(new DeleteAccount((await due(actor)).user.id));
    return actor;
  };
  const jobs = (task: string) =>
    t.database.query<{ attempts: number; error: string | null; command: object }>(
      `SELECT attempts, last_error AS error, payload->'command' AS command FROM graphile_worker._private_jobs j
        JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE identifier = $1 ORDER BY j.id`,
      [task],
    );
  const fail = (task: string, attempts: number) =>
    t.database.query(
      `UPDATE graphile_worker._private_jobs SET attempts = $2, last_error = 'broken', run_at = now() + interval '1 hour'
        WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = $1)`,
      [task, attempts],
    );

  it.each([3, 25])('keeps the attempts of a deletion that has failed %d times', async (attempts) => {
    await due(await t.actors.signedInUser());
    await run(new DeleteDueAccounts());
    expect(await jobs('delete-account')).toMatchObject([{ attempts: 0 }]);
    await fail('delete-account', attempts);
    await run(new DeleteDueAccounts());
    expect(await jobs('delete-account')).toMatchObject([{ attempts, error: 'broken' }]);
  });

  it('keeps its own attempts, however late', async () => {
    await deleted(await t.actors.signedInUser());
    await fail('complete-erasure', 3);
    t.clock.advance(DAY + MINUTE);
    await run(new DeleteDueAccounts());
    expect(await jobs('complete-erasure')).toMatchObject([{ attempts: 3, error: 'broken' }]);
  });

  it('sends one last email while the mail server is down, and forgets the address after three days', async () => {
    const { id, email } = (await deleted(await t.actors.signedInUser())).user;
    const limits = () => t.database.query('SELECT FROM mail_allowances');
    await t.database.query('DELETE FROM mail_allowances');
    await t.mailbox.stop();
    await t.database.query(`INSERT INTO suppressed_addresses VALUES ($1, now() - interval '1 day', 'full')`, [email]);
    for (let tick = 0; tick < 3; tick++) await run(new CompleteErasure(id));
    await fail('send-account-deleted-mail', 3);
    await run(new CompleteErasure(id));
    expect(await jobs('send-account-deleted-mail')).toEqual([
      { attempts: 3, error: 'broken', command: { userId: id } },
    ]);
    await expect(run(new SendAccountDeletedMail(id))).rejects.toThrow();
    expect(await limits()).toHaveLength(1);
    t.clock.advance(3 * DAY);
    await run(new CompleteErasure(id));
    expect(await limits()).toEqual([]);
    expect(await t.database.query('SELECT FROM suppressed_addresses')).toEqual([]);
    expect(await t.database.query('SELECT emails FROM account_erasures')).toEqual([{ emails: [] }]);
    await run(new CompleteErasure(id));
    expect(await t.database.query('SELECT FROM account_erasures')).toEqual([]);
  });

  it('leaves what belongs to a new account with the address', async () => {
    const actor = await t.actors.signedInUser();
    const { email } = actor.user;
    const payloads = () =>
      t.database.query<{ payload: object }>('SELECT payload FROM webhook_events ORDER BY event_id');
    await t.database.query(ADD_MAIL, [email]);
    await t.database.query(ADD_EVENT, [null, { email }]);
    await deleted(actor);
    await t.api.post('/auth/register').send({ email, password: PASSWORD, name: 'Grace' }).expect(201);
    await t.database.query(ADD_EVENT, [null, { email, name: 'Grace' }]);
    await run(new CompleteErasure(actor.user.id));
    expect(await jobs('send-link-mail')).toMatchObject([{ command: { email, purpose: 'verification' } }]);
    expect((await payloads()).map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([{}, { email, name: 'Grace' }]),
    );
  });

  it('erases jobs that name the account by its id, also those that were added later', async () => {
    const { user } = await deleted(await t.actors.signedInUser());
    await t.database.query(
      `SELECT graphile_worker.add_job('send-security-mail', json_build_object('userId', $1::text))`,
      [user.id],
    );
    await run(new CompleteErasure(user.id));
    expect(await jobs('send-security-mail')).toEqual([]);
  });

  it('empties events of a deleted workspace that arrive after the last email, and no others', async () => {
    const { user, tenantId } = await deleted(await t.actors.owner());
    await run(new SendAccountDeletedMail(user.id));
    await t.mailbox.titled(user.email, 'Your account was deleted');
    const stays = newId();
    for (const id of [tenantId, stays]) await t.database.query(ADD_EVENT, [id, { id }]);
    t.clock.advance(DAY + MINUTE);
    await run(new CompleteErasure(user.id));
    const found = await t.database.query<{ payload: object }>(
      'SELECT payload FROM webhook_events ORDER BY payload::text',
    );
    expect(found).toEqual([{ payload: { id: stays } }, { payload: {} }]);
  });
});

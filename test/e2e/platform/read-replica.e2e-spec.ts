import { TestApp } from '../../support/app';
import { TestDatabase } from '../../support/database';

describe('DATABASE_READ_URL', () => {
  it('is used by queries, while commands and sessions use the primary', async () => {
    const replica = await TestDatabase.create(); // lags behind indefinitely, so that it shows who asks it
    const t = await TestApp.start({ env: { DATABASE_READ_URL: replica.url, WORKER: 'off' } });
    const actor = await t.actors.signedInUser();
    // An account that is missing on the replica is looked up on the primary, so that replication
    // lag signs no user out.
    expect((await t.api.get('/auth/me').set(actor.bearer).expect(200)).body.data.user.id).toBe(actor.user.id);
    await t.api.patch('/users/me').set(actor.bearer).send({ name: 'Ada' }).expect(200);
    await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(200);
    await replica.query(
      `INSERT INTO users (id, email, name, is_email_verified, created_at) VALUES ($1, $2, 'Replica', true, now())`,
      [actor.user.id, actor.user.email],
    );
    expect((await t.api.get('/auth/me').set(actor.bearer).expect(200)).body.data.user.name).toBe('Replica');
    await t.close();
    await replica.drop();
  });
});

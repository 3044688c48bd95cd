import { TestApp } from '../../support/app';
import { TestDatabase } from '../../support/database';

describe('DATABASE_READ_URL', () => {
  it('is used by queries, while commands and sessions use the primary', async () => {
    const replica = await TestDatabase.create(); // lags behind for ever, so that it shows who asks it
    const t = await TestApp.start({ env: { DATABASE_READ_URL: replica.url, WORKER: 'off' } });
    const person = await t.actors.person();
    // An account that is missing on the replica is looked up on the primary, so that replication
    // lag signs no user out.
    expect((await t.api.get('/auth/me').set(person.bearer).expect(200)).body.data.user.id).toBe(person.user.id);
    await t.api.patch('/users/me').set(person.bearer).send({ name: 'Ada' }).expect(200);
    await t.api.post('/auth/refresh').send({ refreshToken: person.refreshToken }).expect(200);
    await replica.query(
      `INSERT INTO users (id, email, name, is_email_verified, created_at) VALUES ($1, $2, 'Replica', true, now())`,
      [person.user.id, person.user.email],
    );
    expect((await t.api.get('/auth/me').set(person.bearer).expect(200)).body.data.user.name).toBe('Replica');
    await t.close();
    await replica.drop();
  });
});

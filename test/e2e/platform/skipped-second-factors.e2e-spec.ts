import { Fixtures } from '../../../dev/fuzz/fixtures';
import { TestApp } from '../../support/app';

describe('the check of `npm run fuzz` for skipped second factors', () => {
  let t: TestApp;
  let fixtures: Fixtures;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    fixtures = new Fixtures(t.nest, { pay: () => Promise.resolve() });
  });
  afterAll(() => t.close());

  const violations = () => fixtures.factors.unprovenSessions();

  it('accepts sessions that have proven it, and those of accounts without one', async () => {
    await fixtures.session(await fixtures.verifiedUser());
    await fixtures.factors.enrolled();
    await t.api
      .post('/auth/second-factor')
      .send(await fixtures.factors.ticket())
      .expect(200);
    expect(await violations()).toEqual([]);
  });

  it('finds a session that was opened without it', async () => {
    const { user } = await fixtures.factors.enrolled();
    await t.database.query('UPDATE users SET has_second_factor = false WHERE id = $1', [user.id]);
    const { id } = await fixtures.session(user); // as a service would that forgets to ask
    expect(await violations()).toEqual([`session ${id} was opened without the second factor of its account`]);
  });
});

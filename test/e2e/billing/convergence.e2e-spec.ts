import { join } from 'node:path';
import { runChaos } from '../../../dev/chaos/run';
import { builtService } from '../../support/built-service';
import { TestDatabase } from '../../support/database';

/** Different in every run; TENANTRY_SEED repeats a run. */
const SEED = Number(process.env.TENANTRY_SEED ?? Math.floor(performance.timeOrigin) % 1_000_000);

/** A small version of `npm run chaos`. */
describe('24 random tenants with lost, repeated, late, reordered and forged events and a killed service', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await TestDatabase.create();
  });
  afterAll(() => database.drop());

  it(`converge after one sync: data and seats as at Stripe, one customer, no second email (seed ${SEED})`, async () => {
    const main = join(await builtService(), 'src', 'main.js');
    const report = await runChaos({
      seed: SEED,
      tenants: 24,
      rounds: 6,
      activity: 0.9,
      databaseUrl: database.url,
      main,
    });
    expect(report.problems).toEqual([]);
    // The run must have done something.
    expect(report.events).toBeGreaterThan(50);
    expect(report.corrected).toBeGreaterThan(0);
    expect(Object.keys(report.terms).length).toBeGreaterThan(2);
    expect(report.changes).toBeGreaterThan(0);
    expect(report.kills).toBeGreaterThan(0);
    expect(Object.keys(report.statuses).length).toBeGreaterThan(1);
    expect(report.webhooks.messages).toBeGreaterThan(100);
    expect(report.webhooks.repeated).toBeGreaterThan(0);
  }, 360_000); // an instance that is killed may hold the lease of a tenant's billing for two minutes
});

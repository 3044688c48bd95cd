import { join } from 'node:path';
import { runChaos } from '../../../dev/chaos/run';
import { builtService } from '../../support/built-service';
import { TestDatabase } from '../../support/database';

/** Another one with every run; TENANTRY_SEED repeats one. */
const SEED = Number(process.env.TENANTRY_SEED ?? Math.floor(performance.timeOrigin) % 1_000_000);

/** The small one of `npm run chaos`. */
describe('the lives of 40 tenants, with events lost, repeated, late, out of order and forged, and the service killed meanwhile,', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await TestDatabase.create()));
  afterAll(() => database.drop());

  it(`converge after one sync: everything is here as it is at the processor, with one customer each and no mail twice (seed ${SEED})`, async () => {
    const main = join(await builtService(), 'src', 'main.js');
    const report = await runChaos({ seed: SEED, tenants: 40, rounds: 10, databaseUrl: database.url, main });
    expect(report.problems).toEqual([]);
    // That it was a life at all.
    expect(report.events).toBeGreaterThan(50);
    expect(report.corrected).toBeGreaterThan(0);
    expect(report.kills).toBeGreaterThan(0);
    expect(Object.keys(report.statuses).length).toBeGreaterThan(2);
  }, 180_000);
});

import { Database } from '../../../src/platform/database/database';
import type { Scope } from '../../../src/platform/database/tenant-scope';
import type { Member, SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { asOwner, auditPartitionOf, replaceAuditPartitions } from '../../support/audit-partitions';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

interface Plan {
  readonly Plan: PlanNode;
  readonly 'Planning Time': number;
}

/** Entries in each of 24 months, of ten tenants, ten actors and 100 targets. */
const FILL = `
  INSERT INTO audit_log
  SELECT (left(audit_log_bound(audit_log_month(month - 23))::text, 24) || lpad(to_hex(i), 12, '0'))::uuid,
         audit_log_month(month - 23), 'thing.' || i % 7, number.id, CASE WHEN i % 50 = 0 THEN number.id END,
         CASE i % 10 WHEN 0 THEN $1 ELSE number.id END, 'thing', 'target ' || i % 100, NULL, 'x', '{}'
    FROM generate_series(0, 23) month, generate_series(1, 2000) i
         CROSS JOIN LATERAL (SELECT ('00000000-0000-7000-8000-00000000000' || i % 10)::uuid AS id) number`;

const ACTOR = '00000000-0000-7000-8000-000000000000';

describe('With 24 months of entries', () => {
  let t: TestApp;
  let owner: Member;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    await replaceAuditPartitions(t.database, -23, 4);
    owner = await t.actors.owner({ plan: 'Business' });
    admin = await t.actors.admin();
    await t.database.query(FILL, [owner.tenantId]);
    await t.database.query('ANALYZE audit_log');
  });
  afterAll(() => t.close());

  /** Requests a page, and explains the statement that reads it from the audit log. */
  const explain = async (path: string, by: SignedInUser): Promise<Plan> => {
    const database = t.nest.get(Database);
    const read = jest.spyOn(database, 'readInTenant');
    const { body } = await t.api.get(path).set(by.bearer).expect(200);
    expect(body.data.items.length).toBeGreaterThan(0);
    const [scope, sql, parameters] = read.mock.calls.find(([, text]) => text.includes('"audit_log"')) as [
      Scope,
      string,
      unknown[],
    ];
    read.mockRestore();
    const rows = await database.readInTenant<{ 'QUERY PLAN': Plan[] }>(
      scope,
      `EXPLAIN (ANALYZE, SUMMARY, FORMAT JSON) ${sql}`,
      parameters,
    );
    return rows[0]['QUERY PLAN'][0];
  };

  /** The scans of partitions in a plan. */
  const scansIn = (node: PlanNode): PlanNode[] => [
    ...(node['Relation Name']?.startsWith('audit_log') ? [node] : []),
    ...(node.Plans ?? []).flatMap(scansIn),
  ];
  const namesOf = (scans: readonly PlanNode[]) => scans.map((scan) => scan['Relation Name']);
  const readIn = (plan: Plan) => namesOf(scansIn(plan.Plan).filter((scan) => scan['Actual Loops'] > 0));

  const filters = [
    '',
    '&action=thing.3',
    `&actor=${ACTOR}`,
    `&tenant=${ACTOR.replace(/0$/, '1')}`,
    '&target=target%2020',
  ];
  const pages = [
    ['/tenants/current/audit-log?limit=20', 'owner'],
    ...filters.map((filter) => [`/admin/audit-log?limit=20${filter}`, 'admin']),
  ];

  it.each(pages)('the newest page of %s is read by index from the newest months only', async (path, by) => {
    const plan = await explain(path, by === 'owner' ? owner : admin);
    const scans = scansIn(plan.Plan);
    expect(scans.length).toBeGreaterThanOrEqual(24);
    expect(new Set(scans.map((scan) => scan['Node Type']))).toEqual(new Set(['Index Scan']));
    // three months to come, what follows them, and at most two with entries
    expect(readIn(plan).length).toBeLessThanOrEqual(6);
    expect(readIn(plan)).toContain(await auditPartitionOf(t.database, 0));
  });

  it('a page between two times opens the partitions of these months only', async () => {
    const [{ from, to }] = await t.database.query<{ from: Date; to: Date }>(
      `SELECT audit_log_month(-9) AS from, audit_log_month(-7) - interval '1 millisecond' AS to`,
    );
    const range = `from=${from.toISOString()}&to=${to.toISOString()}`;
    const months = [await auditPartitionOf(t.database, -9), await auditPartitionOf(t.database, -8)];
    for (const filter of filters) {
      const plan = await explain(`/admin/audit-log?${range}${filter}`, admin);
      expect([filter, namesOf(scansIn(plan.Plan)).sort()]).toEqual([filter, months]);
    }
  });

  it('a following page does not open the partitions of later months', async () => {
    const months = async (path: string) => namesOf(scansIn((await explain(path, admin)).Plan));
    const first = await t.api.get('/admin/audit-log?limit=100').set(admin.bearer).expect(200);
    const next = await months(`/admin/audit-log?limit=20&cursor=${first.body.data.nextCursor}`);
    expect(next).toContain(await auditPartitionOf(t.database, 0));
    expect(next).not.toContain(await auditPartitionOf(t.database, 1));
    expect(next).not.toContain('audit_log_future');
  });

  it('a prepared statement is planned once, and opens the partitions of its times only', async () => {
    const tenant = `'${owner.tenantId}'`;
    const explained = await asOwner<{ 'QUERY PLAN': Plan[] }>(
      t.database,
      `SET app.across_tenants = 'on'`,
      'SET plan_cache_mode = force_generic_plan',
      `PREPARE page (uuid, uuid, uuid) AS
       SELECT id FROM audit_log WHERE tenant_id = $1 AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT 21`,
      `EXECUTE page (${tenant}, audit_log_bound(audit_log_month(-9)), audit_log_bound(audit_log_month(-7)))`,
      `EXPLAIN (ANALYZE, SUMMARY, FORMAT JSON)
       EXECUTE page (${tenant}, audit_log_bound(audit_log_month(-9)), audit_log_bound(audit_log_month(-7)))`,
    );
    const [plan] = explained[0]['QUERY PLAN'];
    expect(plan['Planning Time']).toBeLessThan(5); // the first time: about 6 ms, with much variance
    expect(namesOf(scansIn(plan.Plan))).toHaveLength(2);
  });

  it('an entry is appended to one partition', async () => {
    const plan = await t.database.query<{ 'QUERY PLAN': Plan[] }>(
      `EXPLAIN (FORMAT JSON)
       INSERT INTO audit_log SELECT gen_random_uuid(), now(), 'x', NULL, NULL, NULL, 'x', 'x', NULL, 'x', '{}'`,
    );
    expect(namesOf(scansIn(plan[0]['QUERY PLAN'][0].Plan))).toEqual(['audit_log']);
  });
});

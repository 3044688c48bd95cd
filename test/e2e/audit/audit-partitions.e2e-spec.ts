import { CommandBus } from '@nestjs/cqrs';
import { Client } from 'pg';
import { PurgeAuditPartitions } from '../../../src/audit/commands/purge-audit-partitions';
import { CreateAuditPartitions } from '../../../src/audit/commands/create-audit-partitions';
import { ENTITY_CLASSES } from '../../../src/entities';
import { migrate } from '../../../src/platform/database/migrate';
import { TestApp } from '../../support/app';
import {
  asOwner,
  auditEntrySql,
  auditPartitionOf,
  auditPartitions,
  replaceAuditPartitions,
} from '../../support/audit-partitions';

describe('The partitions of the audit log', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
  });
  afterAll(() => t.close());

  const execute = (command: CreateAuditPartitions | PurgeAuditPartitions) => t.nest.get(CommandBus).execute(command);
  const append = (month: number, tenantId: string | null = null) =>
    t.database.query(`INSERT INTO audit_log SELECT ${auditEntrySql(month, tenantId)}`);
  const months = (...counts: number[]) => Promise.all(counts.map((count) => auditPartitionOf(t.database, count)));
  const partitionsOf = async (condition = 'true') =>
    (
      await t.database.query<{ name: string }>(
        `SELECT tableoid::regclass::text AS name FROM audit_log WHERE ${condition} ORDER BY id`,
      )
    ).map(({ name }) => name);
  const bytesBeyond = async () =>
    Number(/^audit_log_unpartitioned_bytes (\d+)$/m.exec((await t.http.get('/metrics')).text)?.[1]);

  it('are there for the next three months, and the job creates what is missing', async () => {
    await replaceAuditPartitions(t.database, 0, 2);
    const existing = ['audit_log_past', ...(await months(0, 1))];
    expect(await auditPartitions(t.database)).toEqual([...existing, 'audit_log_future']);
    await execute(new CreateAuditPartitions());
    const wanted = [...existing, ...(await months(2, 3)), 'audit_log_future'];
    expect(await auditPartitions(t.database)).toEqual(wanted);
    await execute(new CreateAuditPartitions());
    expect(await auditPartitions(t.database)).toEqual(wanted);
  });

  it('take the entries of months that had none when they were written, and the metric shows those', async () => {
    await replaceAuditPartitions(t.database, -2, -2);
    expect(await bytesBeyond()).toBe(0);
    const owner = await t.actors.owner({ plan: 'Business' });
    for (const month of [-2, -1, 1, 900]) await append(month, owner.tenantId);
    expect(new Set(await partitionsOf())).toEqual(new Set(['audit_log_future']));
    expect(await bytesBeyond()).toBeGreaterThan(0);
    const list = async () =>
      (await t.api.get('/tenants/current/audit-log?limit=100').set(owner.bearer).expect(200)).body.data.items;
    const before = await list();
    expect(before.length).toBeGreaterThanOrEqual(5);

    await execute(new CreateAuditPartitions());
    expect(await list()).toEqual(before);
    const [since, next] = await months(-2, 1);
    expect(await partitionsOf(`action = 'x'`)).toEqual([since, since, next, 'audit_log_future']);
    expect(await auditPartitions(t.database)).toEqual([
      'audit_log_past',
      since,
      ...(await months(1, 2, 3)),
      'audit_log_future',
    ]);
    expect(await bytesBeyond()).toBeGreaterThan(0); // the clock of that entry was wrong
  });

  it('are kept indefinitely unless the owner of the schema sets a retention, and dropping is recorded', async () => {
    await replaceAuditPartitions(t.database, -4, 4);
    for (const month of [-6, -4, -3, -2, 0]) await append(month);
    await execute(new PurgeAuditPartitions());
    expect(await partitionsOf(`action = 'x'`)).toHaveLength(5);

    await migrate(t.database.urls, ENTITY_CLASSES, 2);
    await execute(new PurgeAuditPartitions());
    const dropped = ['audit_log_past', ...(await months(-4, -3))];
    expect(await partitionsOf(`action = 'x'`)).toEqual(await months(-2, 0));
    expect(await auditPartitions(t.database)).toEqual([
      'audit_log_past',
      ...(await months(-2, -1, 0, 1, 2, 3)),
      'audit_log_future',
    ]);
    const recorded = () =>
      t.database.query<{ target: string; data: { until: string } }>(
        `SELECT target_id AS target, data FROM audit_log WHERE action = 'audit-log.partition-dropped' ORDER BY id`,
      );
    expect((await recorded()).map(({ target }) => target)).toEqual(dropped);
    const [{ until }] = await t.database.query<{ until: Date }>('SELECT audit_log_month(-2) AS until');
    expect((await recorded())[2].data).toEqual({ until: until.toISOString() });

    await execute(new PurgeAuditPartitions());
    expect(await recorded()).toHaveLength(3);
    await append(-6); // late, by a wrong clock: it has a place
    expect(await partitionsOf(`action = 'x'`)).toContain('audit_log_past');
    await migrate(t.database.urls, ENTITY_CLASSES);
    await execute(new PurgeAuditPartitions());
    expect(await recorded()).toHaveLength(3);
  });

  it('are not changed while others use them: the job gives up soon, and can be repeated', async () => {
    await replaceAuditPartitions(t.database, 0, 1);
    const reader = new Client({ connectionString: t.database.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM audit_log');
    const began = Date.now();
    await expect(execute(new CreateAuditPartitions())).rejects.toThrow('lock timeout');
    expect(Date.now() - began).toBeLessThan(1500);
    await reader.query('COMMIT');
    await reader.end();
    await execute(new CreateAuditPartitions());
    expect(await auditPartitions(t.database)).toHaveLength(6);
    expect(await asOwner(t.database, 'SELECT FROM audit_log_future')).toEqual([]);
  });
});

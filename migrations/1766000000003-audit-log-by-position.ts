import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'audit_log_tenant_id_position_id_idx';

/** Partitions without their part of the index: all at first, the rest after a failed attempt. */
const WITHOUT = `
  SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = 'audit_log'::regclass AND NOT EXISTS (
     SELECT FROM pg_inherits part JOIN pg_index x ON x.indexrelid = part.inhrelid
      WHERE part.inhparent = '${INDEX}'::regclass AND x.indrelid = c.oid)`;

/**
 * The index by which audit streams read. PostgreSQL builds none concurrently on a partitioned
 * table, so each partition gets its part, outside of a transaction: the log is written meanwhile.
 */
export class AuditLogByPosition1766000000003 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS ${INDEX} ON ONLY audit_log (tenant_id, position, id) WHERE tenant_id IS NOT NULL`,
    );
    for (const { name } of (await runner.query(WITHOUT)) as { name: string }[]) {
      const part = `${name}_tenant_id_position_id_idx`;
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${part}`);
      await runner.query(
        `CREATE INDEX CONCURRENTLY ${part} ON ${name} (tenant_id, position, id) WHERE tenant_id IS NOT NULL`,
      );
      await runner.query(`ALTER INDEX ${INDEX} ATTACH PARTITION ${part}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${INDEX}`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a host of receivers may next be asked for the first time, over all tenants. */
export class ReceiverHosts1766560000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE receiver_hosts (
        host text CONSTRAINT receiver_hosts_pkey PRIMARY KEY,
        next_at timestamptz NOT NULL,
        answered_at timestamptz
      )`);
    await runner.query('CREATE INDEX receiver_hosts_next_at_idx ON receiver_hosts (next_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE receiver_hosts');
  }
}

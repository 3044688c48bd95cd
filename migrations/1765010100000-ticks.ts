import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which ticks of which schedules somebody has begun: of all instances one inserts the row. */
export class Ticks1765010100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schedule_ticks (
        schedule text NOT NULL,
        tick timestamptz NOT NULL,
        CONSTRAINT schedule_ticks_pkey PRIMARY KEY (schedule, tick)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schedule_ticks');
  }
}

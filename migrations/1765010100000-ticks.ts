import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Claimed ticks of schedules: of all instances, the one that inserts the row runs the tick. */
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

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions that an earlier purge had left without any token, by which alone they are found. */
export class WhatPurgesLeft1765010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DELETE FROM sessions s WHERE NOT EXISTS (SELECT FROM refresh_tokens t WHERE t.session_id = s.id)',
    );
  }

  async down(): Promise<void> {
    // They were good for nothing.
  }
}

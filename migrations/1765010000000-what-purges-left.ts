import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deletes sessions that an earlier purge left without tokens, which are the only way to find them.
 */
export class WhatPurgesLeft1765010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DELETE FROM sessions s WHERE NOT EXISTS (SELECT FROM refresh_tokens t WHERE t.session_id = s.id)',
    );
  }

  async down(): Promise<void> {
    // Deleted sessions could not be used and are not restored.
  }
}

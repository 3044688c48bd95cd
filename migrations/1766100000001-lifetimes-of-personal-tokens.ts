import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createKeyOf } from './parts/key-of';

const CREATED_BY = { created_by: ['uuid', 'k.created_by'] } as const;

/** A personal token ends as its terms say, or earlier by the policy of its tenant. */
const EXPIRES_AT = `CASE WHEN k.user_id IS NULL THEN k.expires_at
  ELSE least(k.expires_at, k.created_at + make_interval(days => p.max_token_days)) END`;

/** The sign-in policy of a tenant limits how long personal tokens can be used; 0 days: not at all. */
export class LifetimesOfPersonalTokens1766100000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_in_policies ADD COLUMN max_token_days integer');
    await createKeyOf(
      runner,
      { ...CREATED_BY, expires_at: ['timestamptz', EXPIRES_AT] },
      'LEFT JOIN sign_in_policies p ON p.tenant_id = k.tenant_id',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await createKeyOf(runner, CREATED_BY);
    await runner.query('ALTER TABLE sign_in_policies DROP COLUMN max_token_days');
  }
}

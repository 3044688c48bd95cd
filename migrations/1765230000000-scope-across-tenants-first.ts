import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  'roles',
  'memberships',
  'invitations',
  'projects',
  'subscriptions',
  'webhook_events',
  'invitation_quotas',
  'tenant_search_terms',
];
const ACROSS = '(SELECT app_across_tenants())';
const TENANT = '(SELECT app_tenant_id())';

/**
 * The policies ask first whether the scope is every tenant: a setting. Otherwise each table of a
 * statement across tenants, and of `membership_of`, also calls `app_tenant_id`, which reads
 * `deleted_tenants`.
 */
export class ScopeAcrossTenantsFirst1765230000000 implements MigrationInterface {
  /** Each table is locked in a transaction of its own. A repetition finds what exists. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await alterPolicies(runner, (tenant) => `${ACROSS} OR ${tenant} = ${TENANT}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterPolicies(runner, (tenant) => `${tenant} = ${TENANT} OR ${ACROSS}`);
  }
}

async function alterPolicies(runner: QueryRunner, inScope: (tenant: string) => string): Promise<void> {
  for (const table of TABLES)
    await runner.query(`ALTER POLICY tenant_isolation ON ${table} USING (${inScope('tenant_id')})`);
  await runner.query(`ALTER POLICY tenant_isolation ON tenants USING ((${inScope('id')}) AND deleted_at IS NULL)`);
}

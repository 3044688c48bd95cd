import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A name as it is compared: without joiners and variants, NFKC, without case. */
const COMPARED = `lower(normalize(
  regexp_replace(name, '[\\u180b-\\u180d\\u200c\\u200d\\ufe0e\\ufe0f\\U000e0100-\\U000e01ef]', '', 'g'), NFKC))`;

/**
 * Two roles of a tenant could have names that differ only in Unicode forms, such as full-width
 * letters. The older role keeps its name; a part of the id is added to that of the newer one.
 */
export class NamesOfRolesAsTheyAreSeen1766580000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE roles NO FORCE ROW LEVEL SECURITY'); // whoever migrates is in no tenant
    await runner.query(`
      WITH alike AS (
        SELECT tenant_id, id,
               row_number() OVER (PARTITION BY tenant_id, ${COMPARED} ORDER BY is_built_in DESC, id) AS position
          FROM roles)
      UPDATE roles SET name = name || ' (' || right(roles.id::text, 6) || ')'
        FROM alike
       WHERE alike.tenant_id = roles.tenant_id AND alike.id = roles.id AND alike.position > 1`);
    await runner.query('ALTER TABLE roles FORCE ROW LEVEL SECURITY');
    await runner.query('DROP INDEX roles_tenant_id_name_key');
    await runner.query(`CREATE UNIQUE INDEX roles_tenant_id_name_key ON roles (tenant_id, (${COMPARED}))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX roles_tenant_id_name_key');
    await runner.query('CREATE UNIQUE INDEX roles_tenant_id_name_key ON roles (tenant_id, lower(name))');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Operators find a tenant by the beginning of any word of its name, not of the name only. Under
 * row-level security PostgreSQL uses an index only for leakproof operators, which those of trigrams
 * and LIKE are not. The search therefore compares bytewise with the rest of the name from each word
 * on ("Nina Neu" has the terms "nina neu" and "neu").
 */
export class TenantSearchTerms1765220000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tenant_search_terms (
        tenant_id uuid NOT NULL CONSTRAINT tenant_search_terms_tenant_id_fkey REFERENCES tenants (id)
                                ON DELETE CASCADE,
        term text NOT NULL,
        CONSTRAINT tenant_search_terms_pkey PRIMARY KEY (tenant_id, term)
      )`);
    await runner.query('ALTER TABLE tenant_search_terms ENABLE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE tenant_search_terms FORCE ROW LEVEL SECURITY');
    await runner.query(`
      CREATE POLICY tenant_isolation ON tenant_search_terms
      USING (tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()))`);
    await runner.query(`
      CREATE FUNCTION search_terms_of(name_key text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
        SELECT DISTINCT substr(name_key, i) FROM generate_series(1, length(name_key)) i
         WHERE substr(name_key, i, 1) !~ '\\s' AND (i = 1 OR substr(name_key, i - 1, 1) !~ '[[:alnum:]]')
      $$`);
    await runner.query(`
      CREATE FUNCTION keep_tenant_search_terms() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN DELETE FROM tenant_search_terms WHERE tenant_id = NEW.id; END IF;
        INSERT INTO tenant_search_terms (tenant_id, term) SELECT NEW.id, search_terms_of(NEW.name_key);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER tenants_keep_search_terms AFTER INSERT OR UPDATE OF name ON tenants
        FOR EACH ROW EXECUTE FUNCTION keep_tenant_search_terms()`);
    await runner.query(`SET LOCAL app.across_tenants = 'on'`);
    await runner.query(`
      INSERT INTO tenant_search_terms (tenant_id, term) SELECT id, search_terms_of(name_key) FROM tenants`);
    await runner.query(`
      CREATE INDEX tenant_search_terms_term_idx ON tenant_search_terms (term text_pattern_ops, tenant_id)`);
    await runner.query('DROP INDEX tenants_name_key_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX tenants_name_key_idx ON tenants (name_key text_pattern_ops)');
    await runner.query('DROP TRIGGER tenants_keep_search_terms ON tenants');
    await runner.query('DROP FUNCTION keep_tenant_search_terms');
    await runner.query('DROP FUNCTION search_terms_of');
    await runner.query('DROP TABLE tenant_search_terms');
  }
}

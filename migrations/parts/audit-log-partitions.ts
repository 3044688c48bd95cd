/** Times and ids of the audit log's partitions. Months are those of UTC. */
const BOUNDS = `
  CREATE FUNCTION audit_log_bound(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
  $$;
  COMMENT ON FUNCTION audit_log_bound IS 'The smallest UUID version 7 of a time';

  CREATE FUNCTION audit_log_time(bound uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT to_timestamp(('x' || left(replace(bound::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
  $$;
  COMMENT ON FUNCTION audit_log_time IS 'The time in a UUID version 7';

  CREATE FUNCTION audit_log_month(months integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => months)) AT TIME ZONE 'UTC'
  $$;
  COMMENT ON FUNCTION audit_log_month IS 'The start of a month, counted from the current one';

  CREATE FUNCTION audit_log_retention_months() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT NULL::integer';
  COMMENT ON FUNCTION audit_log_retention_months IS 'AUDIT_RETENTION_MONTHS of the last migration; NULL: for ever'`;

const PARTITIONS = `
  CREATE FUNCTION audit_log_partitions() RETURNS TABLE (name text, lower uuid, upper uuid) LANGUAGE sql STABLE AS $$
    SELECT c.relname::text, substring(b.bounds FROM 'FROM \\(''([^'']+)')::uuid,
           substring(b.bounds FROM 'TO \\(''([^'']+)')::uuid
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
           CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds) b
     WHERE i.inhparent = 'audit_log'::regclass
  $$;
  COMMENT ON FUNCTION audit_log_partitions
    IS 'Lower bound NULL: MINVALUE, of audit_log_past. Upper bound NULL: MAXVALUE, of audit_log_future'`;

/**
 * A partition that is addressed directly ignores the policies of its parent, and triggers for each
 * statement are not inherited. Every partition therefore has both.
 */
const CREATE = `
  CREATE FUNCTION create_audit_log_partition(partition text, lower uuid, upper uuid) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE policy record;
  BEGIN
    EXECUTE format('CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (%s) TO (%s)', partition,
                   coalesce(quote_literal(lower), 'MINVALUE'), coalesce(quote_literal(upper), 'MAXVALUE'));
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', partition);
    FOR policy IN SELECT * FROM pg_policies WHERE schemaname = current_schema() AND tablename = 'audit_log' LOOP
      EXECUTE format('CREATE POLICY %I ON %I FOR %s', policy.policyname, partition, policy.cmd)
        || coalesce(' USING (' || policy.qual || ')', '')
        || coalesce(' WITH CHECK (' || policy.with_check || ')', '');
    END LOOP;
    EXECUTE format('CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_log()', partition);
  END $$;

  CREATE FUNCTION create_audit_log_months(start timestamptz, until timestamptz) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE following timestamptz;
  BEGIN
    WHILE start < until LOOP
      following := (start AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
      PERFORM create_audit_log_partition(to_char(start AT TIME ZONE 'UTC', '"audit_log_"YYYY_MM'),
                                         audit_log_bound(start), audit_log_bound(following));
      start := following;
    END LOOP;
    PERFORM create_audit_log_partition('audit_log_future', audit_log_bound(start), NULL);
  END $$;
  COMMENT ON FUNCTION create_audit_log_months
    IS 'Creates a partition for each month, and audit_log_future for what follows'`;

/** Entries are not copied, except those whose ids lie beyond the upper bound. */
const ATTACH = `
  CREATE FUNCTION attach_audit_log_partition(partition text, lower uuid, upper uuid) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE moved bigint;
  BEGIN
    EXECUTE format('INSERT INTO audit_log SELECT * FROM %I WHERE id >= %L', partition, upper);
    GET DIAGNOSTICS moved = ROW_COUNT;
    IF moved > 0 THEN
      EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY, DISABLE TRIGGER audit_log_is_append_only', partition);
      EXECUTE format('DELETE FROM %I WHERE id >= %L', partition, upper);
      EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY, ENABLE TRIGGER audit_log_is_append_only', partition);
    END IF;
    EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%L)', partition,
                   coalesce(quote_literal(lower), 'MINVALUE'), upper);
  END $$`;

/** What the service may run as the owner. It takes no parameters that injected SQL could choose. */
const SERVICE = (schema: string) => {
  const asOwner = `SECURITY DEFINER SET search_path = ${schema}, pg_temp SET lock_timeout = '300ms'`;
  return `
  CREATE FUNCTION keep_audit_log_partitions() RETURNS boolean LANGUAGE plpgsql ${asOwner} AS $$
  DECLARE
    scope text := coalesce(current_setting('app.across_tenants', true), '');
    start timestamptz;
    has_entries boolean := false;
  BEGIN
    IF (SELECT lower FROM audit_log_partitions() WHERE name = 'audit_log_future')
       >= audit_log_bound(audit_log_month(4)) THEN RETURN false; END IF;
    LOCK TABLE ONLY audit_log IN ACCESS EXCLUSIVE MODE;
    start := (SELECT audit_log_time(lower) FROM audit_log_partitions() WHERE name = 'audit_log_future');
    IF start >= audit_log_month(4) THEN RETURN false; END IF;
    ALTER TABLE audit_log DETACH PARTITION audit_log_future;
    IF pg_relation_size(to_regclass('audit_log_future')) = 0 THEN
      DROP TABLE audit_log_future;
      PERFORM create_audit_log_months(start, audit_log_month(4));
      RETURN true;
    END IF;
    PERFORM set_config('app.across_tenants', 'on', true);
    ALTER TABLE audit_log_future RENAME TO audit_log_detached;
    IF start < audit_log_month(1) THEN
      has_entries := EXISTS (SELECT FROM audit_log_detached WHERE id < audit_log_bound(audit_log_month(1)));
    END IF;
    IF has_entries THEN
      PERFORM create_audit_log_months(audit_log_month(1), audit_log_month(4));
      EXECUTE to_char(start AT TIME ZONE 'UTC', '"ALTER TABLE audit_log_detached RENAME TO audit_log_"YYYY_MM');
      PERFORM attach_audit_log_partition(to_char(start AT TIME ZONE 'UTC', '"audit_log_"YYYY_MM'),
                                         audit_log_bound(start), audit_log_bound(audit_log_month(1)));
    ELSE
      PERFORM create_audit_log_months(start, audit_log_month(4));
      INSERT INTO audit_log SELECT * FROM audit_log_detached;
      DROP TABLE audit_log_detached;
    END IF;
    PERFORM set_config('app.across_tenants', scope, true);
    RETURN true;
  END $$;
  COMMENT ON FUNCTION keep_audit_log_partitions IS 'Creates the partitions of the next three months';

  CREATE FUNCTION drop_expired_audit_log_partitions() RETURNS TABLE (partition text, until timestamptz)
  LANGUAGE plpgsql ${asOwner} AS $$
  DECLARE
    kept_from uuid := audit_log_bound(audit_log_month(-audit_log_retention_months()));
    past_is_empty boolean;
    expired record;
    dropped_until uuid;
  BEGIN
    past_is_empty := pg_relation_size(to_regclass('audit_log_past')) = 0;
    IF NOT EXISTS (SELECT FROM audit_log_partitions() p WHERE p.upper <= kept_from
                      AND (p.name <> 'audit_log_past' OR NOT past_is_empty)) THEN RETURN; END IF;
    LOCK TABLE ONLY audit_log IN ACCESS EXCLUSIVE MODE;
    FOR expired IN SELECT * FROM audit_log_partitions() p WHERE p.upper <= kept_from ORDER BY p.upper LOOP
      partition := expired.name;
      until := audit_log_time(expired.upper);
      dropped_until := expired.upper;
      IF expired.name <> 'audit_log_past' OR NOT past_is_empty THEN RETURN NEXT; END IF;
      EXECUTE format('ALTER TABLE audit_log DETACH PARTITION %I', expired.name);
      EXECUTE format('DROP TABLE %I', expired.name);
    END LOOP;
    PERFORM create_audit_log_partition('audit_log_past', NULL, dropped_until);
  END $$;
  COMMENT ON FUNCTION drop_expired_audit_log_partitions
    IS 'Drops the partitions older than audit_log_retention_months()';

  REVOKE ALL ON FUNCTION keep_audit_log_partitions, drop_expired_audit_log_partitions FROM PUBLIC`;
};

/** @param schema the quoted name of the schema, which the functions search only */
export const auditLogFunctions = (schema: string): string[] => [BOUNDS, PARTITIONS, CREATE, ATTACH, SERVICE(schema)];

/** The names of the functions, in the order in which they can be dropped. */
export const AUDIT_LOG_FUNCTIONS = [
  'drop_expired_audit_log_partitions',
  'keep_audit_log_partitions',
  'attach_audit_log_partition',
  'create_audit_log_months',
  'create_audit_log_partition',
  'audit_log_partitions',
  'audit_log_retention_months',
  'audit_log_month',
  'audit_log_time',
  'audit_log_bound',
];

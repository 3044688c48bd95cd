import type { TestDatabase } from './database';

/** A table with rows of tenants, and the column with the tenant's id. */
export interface TenantTable {
  readonly name: string;
  readonly column: string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  /** The values that a check allows: `ARRAY['a'::text, …]`. */
  readonly allowed: string | null;
  /** Whether two tenants cannot have the same value. */
  readonly isUnique: boolean;
}

interface ForeignKey {
  readonly columns: readonly string[];
  readonly table: string;
  readonly referenced: readonly string[];
}

const COLUMNS = `
  SELECT a.attname AS name, t.typname AS type, a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS "isNeeded",
         (SELECT substring(pg_get_constraintdef(c.oid) FROM $$= ANY \\(\\(?ARRAY\\['([^']+)$$) FROM pg_constraint c
           WHERE c.conrelid = a.attrelid AND c.contype = 'c' AND c.conkey = ARRAY[a.attnum] LIMIT 1) AS allowed,
         EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND a.attnum = ANY (i.indkey)
           AND NOT EXISTS (SELECT FROM pg_attribute k WHERE k.attrelid = a.attrelid AND k.attname = 'tenant_id'
                             AND k.attnum = ANY (i.indkey))) AS "isUnique"
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
   WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

const FOREIGN_KEYS = `
  SELECT c.confrelid::regclass::text AS table,
         ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY k (n, i)
                 JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.n ORDER BY k.i) AS columns,
         ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY k (n, i)
                 JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.n ORDER BY k.i) AS referenced
    FROM pg_constraint c WHERE c.contype = 'f' AND c.conrelid = $1::regclass`;

/** A value for each type, as SQL. Numbers and texts satisfy checks like `> 0` and `<> ''`. */
const VALUES: Record<string, string> = {
  bool: 'true',
  int2: '1',
  int4: '1',
  int8: '1',
  numeric: '1',
  float8: '1',
  text: `'x'`,
  varchar: `'x'`,
  bytea: `'x'`,
  json: `'{}'`,
  jsonb: `'{}'`,
  date: 'now()',
  timestamptz: 'now()',
};

/**
 * Inserts a row of a tenant into each table, in the order of their foreign keys. The values follow
 * from the columns' types, checks and foreign keys; columns that may be empty stay empty.
 * @param userId an existing user, whom the rows refer to
 * @throws if a table has a required column of a type that has no value here
 */
export async function insertSampleRows(
  database: TestDatabase,
  tables: readonly TenantTable[],
  tenantId: string,
  userId: string,
): Promise<void> {
  const described = await Promise.all(
    tables.map(async (table) => ({
      ...table,
      columns: await database.query<Column>(COLUMNS, [table.name]),
      foreignKeys: await database.query<ForeignKey>(FOREIGN_KEYS, [table.name]),
    })),
  );
  const inserts: string[] = [];
  let waiting = described;
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(({ name, foreignKeys }) =>
      foreignKeys.every((key) => key.table === name || !names.has(key.table)),
    );
    if (ready.length === 0) throw new Error(`The foreign keys of ${[...names].join(', ')} form a circle.`);
    for (const { name, column, columns, foreignKeys } of ready) {
      const needed = columns.filter((candidate) => candidate.isNeeded || candidate.name === column);
      const values = needed.map((candidate) => {
        if (candidate.name === column) return `'${tenantId}'`;
        const key = foreignKeys.find((one) => one.columns.includes(candidate.name));
        return key ? referenceTo(key, candidate.name, tenantId, userId) : valueOf(name, candidate, tenantId);
      });
      const list = needed.map((candidate) => candidate.name).join(', ');
      // a trigger may have inserted it
      inserts.push(`INSERT INTO ${name} (${list}) VALUES (${values.join(', ')}) ON CONFLICT DO NOTHING`);
    }
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  await database.query(`BEGIN; ${inserts.join('; ')}; COMMIT`); // some checks wait for the end
}

/** The value of a column in the row that a foreign key refers to. */
function referenceTo({ table, columns, referenced }: ForeignKey, column: string, tenantId: string, userId: string) {
  if (table === 'users') return `'${userId}'`;
  const tenantColumn = table === 'tenants' ? 'id' : 'tenant_id';
  return `(SELECT ${referenced[columns.indexOf(column)]} FROM ${table} WHERE ${tenantColumn} = '${tenantId}' LIMIT 1)`;
}

function valueOf(table: string, { name, type, allowed, isUnique }: Column, tenantId: string): string {
  if (allowed !== null) return `'${allowed}'`;
  if (type === 'uuid' || isUnique) return `'${tenantId}'`;
  const value = type.startsWith('_') ? `'{}'` : VALUES[type];
  if (!value) throw new Error(`Add a value of the type ${type}, of ${table}.${name}, to test/support/sample-rows.ts.`);
  return value;
}

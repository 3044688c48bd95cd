import type { Database } from './database';
import type { EntityClass } from './database-options';
import { entityOf } from './entity-of';
import { tableOf } from './entity-table';

/** An entity of which a tenant has one row at most. */
interface OfTenant {
  readonly tenantId: string;
}

/**
 * The rows that a tenant has in two tables, read on the primary with one statement.
 * @returns undefined in place of a row that does not exist
 */
export async function readTenantRows<A extends OfTenant, B extends OfTenant>(
  database: Database,
  entities: readonly [EntityClass<A>, EntityClass<B>],
  tenantId: string,
): Promise<[A | undefined, B | undefined]> {
  const [a, b] = entities;
  const sql = `SELECT ${listOf(a, 'a')}, ${listOf(b, 'b')} FROM (SELECT $1::uuid AS id) t
    LEFT JOIN ${tableOf(a).name} a ON a.tenant_id = t.id LEFT JOIN ${tableOf(b).name} b ON b.tenant_id = t.id`;
  const [row] = await database.queryInTenant<Record<string, unknown>>({ tenantId }, sql, [tenantId]);
  return [partOf(a, 'a', row), partOf(b, 'b', row)];
}

/** The columns of a table, as `a."plan" AS "a.plan"`. */
const listOf = (entity: EntityClass, alias: string): string =>
  tableOf(entity)
    .columns.filter(({ isSelected }) => isSelected)
    .map(({ property, name }) => `${alias}.${name} AS "${alias}.${property}"`)
    .join(', ');

function partOf<E extends OfTenant>(entity: EntityClass<E>, alias: string, row: Record<string, unknown>) {
  if (row[`${alias}.tenantId`] === null) return undefined;
  const own = Object.entries(row).filter(([name]) => name.startsWith(`${alias}.`));
  return entityOf(entity, Object.fromEntries(own.map(([name, value]) => [name.slice(alias.length + 1), value])));
}

import { DataSource, type EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import type { ForeignKeyMetadata } from 'typeorm/metadata/ForeignKeyMetadata';
import { databaseOptions, type EntityClass } from '../../src/platform/database/database-options';

const INTRODUCTION = `# Entities and tables

Generated from the entities by \`npm run erd\`; a test fails if it is out of date.
The migrations create the tables, and another test compares them with the entities.
The job queue has tables of its own in the schema \`graphile_worker\`.

A line without a crow's foot is at most one row.
\`tenant_id\` is the key that row-level security compares.
`;

/** The tables of some entities and their foreign keys, as Markdown. Connects to nothing. */
export async function entityDiagram(entities: readonly EntityClass[]): Promise<string> {
  const tables = (await metadataOf(entities)).sort((a, b) => (a.tableName < b.tableName ? -1 : 1));
  const relations = tables.flatMap((table) => table.foreignKeys.map((key) => relation(table, key))).sort();
  const lines = tables.map(({ tableName }) => `  ${tableName}`);
  const diagram = ['```mermaid', 'erDiagram', ...lines, ...relations.map((line) => `  ${line}`), '```', ''].join('\n');
  return [INTRODUCTION, diagram, ...tables.map(section)].join('\n');
}

async function metadataOf(entities: readonly EntityClass[]): Promise<EntityMetadata[]> {
  const source = new DataSource(databaseOptions('postgres://127.0.0.1/none', 1, entities));
  await (source as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  return source.entityMetadatas;
}

/**
 * One line of the diagram: what is referred to, how many rows may refer to it, by which columns.
 */
function relation(table: EntityMetadata, key: ForeignKeyMetadata): string {
  const columns = key.columns.map(({ databaseName }) => databaseName);
  const one = key.columns.some(({ isNullable }) => isNullable) ? '|o' : '||';
  const many = isUnique(table, columns) ? 'o|' : 'o{';
  return `${key.referencedEntityMetadata.tableName} ${one}--${many} ${table.tableName} : "${columns.join(', ')}"`;
}

function isUnique(table: EntityMetadata, columns: string[]): boolean {
  const names = (some: ColumnMetadata[]) => some.map(({ databaseName }) => databaseName);
  const keys = [names(table.primaryColumns), ...table.uniques.map((unique) => names(unique.columns))];
  return keys.some((key) => key.every((name) => columns.includes(name)));
}

function section(table: EntityMetadata): string {
  const rows = table.columns.map((column) => [
    `\`${column.databaseName}\``,
    typeOf(column),
    column.isNullable ? 'yes' : '',
    [...keysOf(table, column)].join('; '),
  ]);
  return [
    `## ${table.tableName}`,
    '',
    `Entity \`${table.name}\`.`,
    '',
    '| column | type | null | key |',
    '| --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}

const typeOf = ({ type, isArray }: ColumnMetadata) =>
  `${typeof type === 'string' ? type : type.name}${isArray ? '[]' : ''}`;

function* keysOf(table: EntityMetadata, column: ColumnMetadata): Iterable<string> {
  if (column.isPrimary) yield 'primary';
  for (const { columns } of table.uniques) {
    if (columns.length === 1 && columns[0] === column) yield 'unique';
  }
  for (const key of table.foreignKeys) {
    const position = key.columns.indexOf(column);
    if (position === -1) continue;
    const target = `${key.referencedEntityMetadata.tableName}.${key.referencedColumns[position].databaseName}`;
    const action = key.onDelete === 'NO ACTION' ? undefined : key.onDelete?.toLowerCase();
    yield `references \`${target}\`${action ? `, on delete ${action}` : ''}`;
  }
}

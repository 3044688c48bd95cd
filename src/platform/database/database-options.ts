import { join } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATING } from './blocking-transactions';
import { SnakeCaseNaming } from './snake-case-naming';
import { BatchingClient } from './batching-client';
import { withClientTimeout } from './pg-client-with-timeout';
import { PreparingClient } from './preparing-client';

/**
 * Milliseconds after which an idle connection is closed. A burst of requests after a short pause
 * then finds the connections open: a new one takes a handshake, and its request waits for it even
 * if others become free meanwhile.
 */
const IDLE_MS = 120_000;

export type EntityClass<E extends object = object> = new () => E;

/**
 * The connection options.
 * @param url address with role and password
 * @param poolSize most connections
 * @param entities the entity classes
 * @param prepared whether frequent statements are prepared
 */
export function databaseOptions(
  url: string,
  poolSize: number,
  entities: readonly EntityClass[],
  { prepared = false } = {},
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    poolSize,
    applicationName: 'tenantry',
    entities: [...entities],
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logging: false,
    extra: {
      ...withClientTimeout,
      Client: prepared ? PreparingClient : BatchingClient,
      pipeline: true, // queries that do not wait for each other are sent without waiting
      idleTimeoutMillis: IDLE_MS,
    },
  };
}

/**
 * Building an index on a large table takes longer than the role's own limits. Locks are waited for
 * briefly, because statements of the service queue behind the request. A process that hangs or has
 * disappeared during a transaction loses its locks after 10 seconds.
 */
const MIGRATION_LIMITS = {
  statement_timeout: 0,
  lock_timeout: '1s',
  idle_in_transaction_session_timeout: '10s',
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
};

/** How pg connects for migrations, beside the address. */
export const migrationConnection = {
  application_name: MIGRATING,
  options: Object.entries(MIGRATION_LIMITS)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
};

/** The data source for migrations: one connection that migrates, and one that watches it. */
export function migrationDataSource(url: string, entities: readonly EntityClass[]): DataSource {
  return new DataSource({
    ...databaseOptions(url, 2, entities),
    extra: migrationConnection,
    migrations: [
      join(__dirname, '..', '..', '..', 'migrations', '*.js'),
      join(__dirname, '..', '..', '..', 'migrations', '*.ts'),
    ],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
  });
}

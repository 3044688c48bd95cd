import { join } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
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

/** Building an index on a large table takes longer than the role's own limits. */
const WITHOUT_LIMITS = '-c statement_timeout=0 -c lock_timeout=0';

/** The data source for migrations: one connection without time limits. */
export function migrationDataSource(url: string, entities: readonly EntityClass[]): DataSource {
  return new DataSource({
    ...databaseOptions(url, 2, entities),
    extra: { options: WITHOUT_LIMITS },
    migrations: [
      join(__dirname, '..', '..', '..', 'migrations', '*.js'),
      join(__dirname, '..', '..', '..', 'migrations', '*.ts'),
    ],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
  });
}

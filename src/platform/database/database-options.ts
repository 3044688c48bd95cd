import { join } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { SnakeCaseNaming } from './snake-case-naming';
import { withClientTimeout } from './pg-client-with-timeout';

export type EntityClass = new () => object;

/**
 * How the service speaks to PostgreSQL.
 * @param url      address with role and password
 * @param poolSize connections at most
 * @param entities the tables it knows
 */
export function databaseOptions(url: string, poolSize: number, entities: readonly EntityClass[]): DataSourceOptions {
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
    extra: { ...withClientTimeout, pipeline: true }, // what is asked without waiting for the answer before is also sent without
  };
}

/** Whatever the role's own limits are: an index over many rows takes long. */
const WITHOUT_LIMITS = '-c statement_timeout=0 -c lock_timeout=0';

/** For migrations: patient, on a connection of its own. */
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

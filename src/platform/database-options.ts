import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { SnakeCaseNaming } from './snake-case-naming';

export type EntityClass = new () => object;

/** Together under the 5 seconds after which a caller must have heard "503" (contract section 1). */
const CONNECT_TIMEOUT_MS = 2000;
const QUERY_TIMEOUT_MS = 2500;

/**
 * A connection that hangs up when an answer is overdue. pg alone would hand a connection whose peer has vanished back to the pool, where it
 * would make every later query wait as well; one that has hung up is replaced.
 */
class ImpatientClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = ((...parameters: unknown[]) => {
      const answer = send(...parameters);
      if (answer instanceof Promise) answer.catch((error: Error) => this.hangUpIfOverdue(error));
      return answer;
    }) as typeof this.query;
  }

  private hangUpIfOverdue(error: Error): void {
    if (error.message !== 'Query read timeout') return;
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

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
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: 'tenantry',
    entities: [...entities],
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logging: false,
    extra: { Client: ImpatientClient, query_timeout: QUERY_TIMEOUT_MS, keepAlive: true },
  };
}

/** For migrations: patient, on a connection of its own. */
export function migrationDataSource(url: string, entities: readonly EntityClass[]): DataSource {
  return new DataSource({
    ...databaseOptions(url, 2, entities),
    extra: {},
    migrations: [join(__dirname, '..', '..', 'migrations', '*.js'), join(__dirname, '..', '..', 'migrations', '*.ts')],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
  } as DataSourceOptions);
}

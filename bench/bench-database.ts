import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type EmbeddedPostgres } from '../dev/embedded-postgres';
import { newSecretsKeys } from '../dev/local-keys';
import { SERVICE_ROLE, serviceDatabase } from '../dev/service-database';
import { ENTITY_CLASSES } from '../src/entities';
import { migrate } from '../src/platform/database/migrate';
import { privateKey } from './access-tokens';
import { rowsOf } from './seed-data';

/** The same for all servers of a run. */
const secretsKeys = newSecretsKeys();

/** A database of the run. */
export interface BenchDatabase {
  /** The address for a superuser, to which row-level security does not apply. */
  readonly superuser: string;
  /** The settings of a service that uses it. */
  readonly settings: NodeJS.ProcessEnv;
}

/** The database server of a run, in a folder that is deleted at its end. */
export class BenchFolder {
  private constructor(
    readonly folder: string,
    private postgres: EmbeddedPostgres,
  ) {}

  static async start(): Promise<BenchFolder> {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-bench-'));
    chmodSync(folder, 0o755); // PostgreSQL may run as another user
    return new BenchFolder(folder, await startPostgres(folder));
  }

  /** Creates a migrated, empty database. */
  async create(name: string): Promise<BenchDatabase> {
    await migrate(await serviceDatabase(this.postgres, name), ENTITY_CLASSES);
    return this.database(name);
  }

  /** A database that exists. */
  database(name: string): BenchDatabase {
    return {
      superuser: this.postgres.url(name),
      settings: {
        DATABASE_URL: this.postgres.url(name, SERVICE_ROLE),
        JWT_PRIVATE_KEY: privateKey,
        SECRETS_KEYS: secretsKeys,
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'bench@localhost.test',
        LOG_LEVEL: 'info',
        METRICS_TOKEN: '',
      },
    };
  }

  /** Creates a database without tables. @returns its address for a superuser */
  async createEmpty(name: string): Promise<string> {
    await serviceDatabase(this.postgres, name);
    return this.postgres.url(name);
  }

  /** Changes settings of PostgreSQL and restarts it. @param settings each `name = value` */
  async configure(...settings: string[]): Promise<void> {
    for (const setting of settings) await this.execute(`ALTER SYSTEM SET ${setting}`);
    await this.restart();
  }

  /** Executes a statement that concerns the whole server, as a superuser. */
  async execute(sql: string): Promise<void> {
    await rowsOf(this.postgres.url('postgres'), sql);
  }

  /** Restarts PostgreSQL. The addresses of all databases change. */
  async restart(): Promise<void> {
    await this.postgres.stop();
    this.postgres = await startPostgres(this.folder);
  }

  async delete(): Promise<void> {
    await this.postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

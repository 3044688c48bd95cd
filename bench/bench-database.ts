import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type EmbeddedPostgres } from '../dev/embedded-postgres';
import { serviceDatabase } from '../dev/service-database';
import { ENTITY_CLASSES } from '../src/entities';
import { migrate } from '../src/platform/database/migrate';
import { privateKey } from './access-tokens';

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
    private readonly postgres: EmbeddedPostgres,
  ) {}

  static async start(): Promise<BenchFolder> {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-bench-'));
    chmodSync(folder, 0o755); // PostgreSQL may run as another user
    return new BenchFolder(folder, await startPostgres(folder));
  }

  /** Creates a migrated, empty database. */
  async create(name: string): Promise<BenchDatabase> {
    const urls = await serviceDatabase(this.postgres, name);
    await migrate(urls, ENTITY_CLASSES);
    return {
      superuser: this.postgres.url(name),
      settings: {
        DATABASE_URL: urls.service,
        JWT_PRIVATE_KEY: privateKey,
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'bench@localhost.test',
        LOG_LEVEL: 'info',
        METRICS_TOKEN: '',
      },
    };
  }

  async delete(): Promise<void> {
    await this.postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

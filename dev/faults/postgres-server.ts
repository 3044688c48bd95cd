import { Client } from 'pg';
import { startPostgres, type EmbeddedPostgres } from '../embedded-postgres';
import { SERVICE_ROLE } from '../service-database';
import type { TcpProxy } from '../tcp-proxy';

/** Direct access to PostgreSQL, not through the proxy: as superuser, with stop and restart. */
export class PostgresServer {
  private server!: EmbeddedPostgres;

  private constructor(
    private readonly folder: string,
    private readonly database: string,
  ) {}

  static async start(folder: string, database: string): Promise<PostgresServer> {
    const postgres = new PostgresServer(folder, database);
    await postgres.launch();
    return postgres;
  }

  get embedded(): EmbeddedPostgres {
    return this.server;
  }

  /** @param proxy is redirected to the new port, which differs at each start */
  async launch(proxy?: TcpProxy): Promise<void> {
    this.server = await startPostgres(this.folder, { throwaway: true });
    proxy?.redirectTo(this.server.port);
  }

  stop(how: 'fast' | 'immediate'): Promise<void> {
    return this.server.stop(how);
  }

  async sql<T extends object>(statement: string, values: unknown[] = []): Promise<T[]> {
    return this.connected(async (client) => (await client.query<T>(statement, values)).rows);
  }

  /** Runs work on a new connection, which is closed afterwards. */
  async connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({
      connectionString: this.server.url(this.database),
      options: '-c default_transaction_read_only=off',
    });
    client.on('error', () => undefined); // the server may stop
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Terminates all backends of the service, or cancels their statements. */
  async signalBackends(signal: 'pg_terminate_backend' | 'pg_cancel_backend'): Promise<void> {
    await this.sql(`SELECT ${signal}(pid) FROM pg_stat_activity WHERE usename = '${SERVICE_ROLE}'`);
  }
}

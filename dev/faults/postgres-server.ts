import { Client } from 'pg';
import { startPostgres, type EmbeddedPostgres } from '../embedded-postgres';
import { SERVICE_ROLE } from '../service-database';
import type { TcpProxy } from '../tcp-proxy';

/** PostgreSQL itself, past the line: asked as its superuser, stopped and begun again. */
export class PostgresServer {
  private server!: EmbeddedPostgres;

  private constructor(
    private readonly folder: string,
    private readonly database: string,
  ) {}

  static async start(folder: string, database: string): Promise<PostgresServer> {
    const postgres = new PostgresServer(folder, database);
    await postgres.begin();
    return postgres;
  }

  get embedded(): EmbeddedPostgres {
    return this.server;
  }

  /** @param line leads to it from now on: its port is another one each time */
  async begin(line?: TcpProxy): Promise<void> {
    this.server = await startPostgres(this.folder, { throwaway: true });
    line?.redirectTo(this.server.port);
  }

  stop(how: 'fast' | 'immediate'): Promise<void> {
    return this.server.stop(how);
  }

  async sql<T extends object>(statement: string, values: unknown[] = []): Promise<T[]> {
    return this.connected(async (client) => (await client.query<T>(statement, values)).rows);
  }

  /** Does something on a connection of its own, which ends with it. */
  async connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({
      connectionString: this.server.url(this.database),
      options: '-c default_transaction_read_only=off',
    });
    client.on('error', () => undefined); // a server that stops
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Does something to every connection that the service has. */
  async toBackends(what: 'pg_terminate_backend' | 'pg_cancel_backend'): Promise<void> {
    await this.sql(`SELECT ${what}(pid) FROM pg_stat_activity WHERE usename = '${SERVICE_ROLE}'`);
  }
}

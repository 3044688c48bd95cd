import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres, type EmbeddedPostgres } from '../../dev/embedded-postgres';
import { homeOf } from '../../dev/postgres-user-and-binaries';
import { SERVICE_ROLE, serviceDatabase } from '../../dev/service-database';
import { TcpProxy } from '../../dev/tcp-proxy';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrate } from '../../src/platform/database/migrate';
import { eventually } from './eventually';

const DATABASE = 'replicated';

/**
 * A PostgreSQL with a streaming replica, which is behind a proxy so that it can disappear. The
 * embedded binaries contain no pg_basebackup: the replica starts from a copy of the stopped
 * primary.
 */
export class StreamingReplica {
  private constructor(
    private readonly folder: string,
    private readonly primary: EmbeddedPostgres,
    private readonly replica: EmbeddedPostgres,
    private readonly proxy: TcpProxy,
  ) {}

  static async start(): Promise<StreamingReplica> {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-replica-'));
    const [ofPrimary, ofReplica] = [join(folder, 'primary'), join(folder, 'replica')];
    for (const path of [folder, ofPrimary]) {
      mkdirSync(path, { recursive: true });
      chmodSync(path, 0o755);
    }
    const original = await startPostgres(ofPrimary, { throwaway: true });
    await migrate(await serviceDatabase(original, DATABASE), ENTITY_CLASSES);
    await original.stop();
    execFileSync('cp', ['-a', ofPrimary, ofReplica]);
    const primary = await startPostgres(ofPrimary, { throwaway: true });
    const { data, give } = homeOf(ofReplica);
    const { password, port } = new URL(primary.url(DATABASE));
    const settings = `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password}'\n`;
    for (const [name, text] of [
      ['standby.signal', ''],
      ['postgresql.auto.conf', settings],
    ]) {
      writeFileSync(join(data, name), text);
      give(join(data, name));
    }
    const replica = await startPostgres(ofReplica, { throwaway: true });
    return new StreamingReplica(folder, primary, replica, await TcpProxy.start(replica.url(DATABASE, SERVICE_ROLE)));
  }

  /** The settings of a service that uses both. */
  get settings(): NodeJS.ProcessEnv {
    return { DATABASE_URL: this.primary.url(DATABASE, SERVICE_ROLE), DATABASE_READ_URL: this.proxy.url };
  }

  /** Runs a statement as superuser. */
  async query<T extends object>(server: 'primary' | 'replica', sql: string): Promise<T[]> {
    const client = new Client({ connectionString: this[server].url(DATABASE) });
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Changes of the primary arrive at the replica, and stay invisible there. */
  async pause(): Promise<void> {
    await this.query('replica', 'SELECT pg_wal_replay_pause()'); // requests it only
    const sql = `SELECT FROM pg_get_wal_replay_pause_state() AS state WHERE state = 'paused'`;
    await eventually(async () => (await this.query('replica', sql)).length === 1 || undefined, 'the pause');
  }

  async resume(): Promise<void> {
    await this.query('replica', 'SELECT pg_wal_replay_resume()');
  }

  /**
   * Waits until the replica has everything that the primary has, also what the primary has not
   * written to its disk yet. The message follows the position, which may lie behind the header of a
   * page.
   */
  async untilReplayed(): Promise<void> {
    const [{ position }] = await this.query<{ position: string }>(
      'primary',
      `SELECT pg_current_wal_insert_lsn()::text AS position, pg_logical_emit_message(false, 'test', '')`,
    );
    const sql = `SELECT FROM (SELECT pg_last_wal_replay_lsn() AS at) replayed WHERE at >= '${position}'`;
    await eventually(async () => (await this.query('replica', sql)).length === 1 || undefined, 'the replay');
  }

  /** Closes its connections and refuses new ones. */
  async disappear(): Promise<void> {
    await this.proxy.close();
  }

  async reappear(): Promise<void> {
    await this.proxy.listen();
  }

  async stop(): Promise<void> {
    await this.proxy.close().catch(() => undefined);
    await this.replica.stop('immediate');
    await this.primary.stop('immediate');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from './embedded-postgres';
import { serviceDatabase } from './service-database';

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tenantry-embedded-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('takes over from a server that a killed run left behind, and loses nothing', async () => {
    const left = await startPostgres(folder);
    await ask(left.url('postgres'), 'CREATE TABLE kept AS SELECT 42 AS answer');
    const next = await startPostgres(folder);
    expect(await ask(next.url('postgres'), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await next.stop();
  });

  it('starts although the pid file names a process that is somebody else', async () => {
    const first = await startPostgres(folder);
    const [{ path }] = (await ask(first.url('postgres'), `SELECT setting AS path FROM pg_settings WHERE name = 'data_directory'`)) as [
      { path: string },
    ];
    await first.stop();
    writeFileSync(join(path, 'postmaster.pid'), `${process.pid}\n${path}\n`);
    const next = await startPostgres(folder);
    await next.stop();
  });

  it('gives the service a role that row-level security binds', async () => {
    const server = await startPostgres(folder);
    const url = await serviceDatabase(server, 'tenantry');
    expect(await serviceDatabase(server, 'tenantry')).toBe(url);
    expect(await ask(url, 'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user')).toEqual([
      { rolsuper: false, rolbypassrls: false },
    ]);
    await server.stop();
  });

  it('runs beside another one', async () => {
    const other = `${folder}-other`;
    const servers = await Promise.all([startPostgres(folder), startPostgres(other)]);
    expect(servers[0].port).not.toBe(servers[1].port);
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(other, { recursive: true, force: true });
  });
});

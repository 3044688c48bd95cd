import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ENTITY_CLASSES } from '../src/entities';
import { migrate } from '../src/platform/database/migrate';
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

describe('The embedded PostgreSQL', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tenantry-embedded-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('stops the server of an interrupted run, and keeps its data', async () => {
    const left = await startPostgres(folder);
    await ask(left.url('postgres'), 'CREATE TABLE kept AS SELECT 42 AS answer');
    const next = await startPostgres(folder);
    expect(await ask(next.url('postgres'), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await next.stop();
  });

  it('starts if the pid file names a process of another program', async () => {
    const first = await startPostgres(folder);
    const [{ path }] = (await ask(
      first.url('postgres'),
      `SELECT setting AS path FROM pg_settings WHERE name = 'data_directory'`,
    )) as [{ path: string }];
    await first.stop();
    writeFileSync(join(path, 'postmaster.pid'), `${process.pid}\n${path}\n`);
    const next = await startPostgres(folder);
    await next.stop();
  });

  it('gives the service a role to which row-level security applies', async () => {
    const server = await startPostgres(folder);
    const urls = await serviceDatabase(server, 'tenantry');
    expect(await serviceDatabase(server, 'tenantry')).toEqual(urls);
    for (const url of [urls.owner, urls.service]) {
      const role = await ask(url, 'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user');
      expect(role).toEqual([{ rolsuper: false, rolbypassrls: false }]);
    }
    await server.stop();
  });

  it('transfers tables that the role of the service owned, and keeps their data', async () => {
    const server = await startPostgres(folder);
    await ask(
      server.url('postgres'),
      `CREATE ROLE tenantry LOGIN PASSWORD '${new URL(server.url('postgres')).password}'`,
    );
    await ask(server.url('postgres'), 'CREATE DATABASE tenantry OWNER tenantry');
    const alone = server.url('tenantry', 'tenantry');
    await migrate({ owner: alone, service: alone }, ENTITY_CLASSES);
    await ask(
      alone,
      `INSERT INTO users (id, email, name, created_at) VALUES (gen_random_uuid(), 'kept@example.com', 'K', now())`,
    );
    const urls = await serviceDatabase(server, 'tenantry');
    expect(await migrate(urls, ENTITY_CLASSES)).toEqual([]);
    expect(await ask(urls.service, 'SELECT email FROM users')).toEqual([{ email: 'kept@example.com' }]);
    await expect(ask(urls.service, 'ALTER TABLE users ADD x int')).rejects.toThrow('must be owner of table users');
    expect(await ask(urls.owner, 'SELECT FROM pg_tables WHERE tableowner = $$tenantry$$')).toEqual([]);
    await ask(urls.owner, 'ALTER TABLE users ADD x int');
    await server.stop();
  });

  it('runs beside another instance', async () => {
    const other = `${folder}-other`;
    const servers = await Promise.all([startPostgres(folder), startPostgres(other)]);
    expect(servers[0].port).not.toBe(servers[1].port);
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(other, { recursive: true, force: true });
  });
});

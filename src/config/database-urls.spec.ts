import { readDatabaseUrls } from './database-urls';

const POOLED = { DATABASE_URL: 'postgres://service:pw@pooler/tenantry' };
const DIRECT = { DATABASE_DIRECT_URL: 'postgres://service:pw@server/tenantry' };
const OWNER = { MIGRATION_DATABASE_URL: 'postgres://owner:pw@server/tenantry' };

describe('The addresses for migrations and commands', () => {
  it('are DATABASE_URL if nothing else is set', () =>
    expect(readDatabaseUrls(POOLED)).toEqual({ owner: POOLED.DATABASE_URL, service: POOLED.DATABASE_URL }));

  it('avoid the pooler when DATABASE_DIRECT_URL is set', () =>
    expect(readDatabaseUrls({ ...POOLED, ...DIRECT })).toEqual({
      owner: DIRECT.DATABASE_DIRECT_URL,
      service: DIRECT.DATABASE_DIRECT_URL,
    }));

  it('use the owner of the schema for migrations when MIGRATION_DATABASE_URL is set', () =>
    expect(readDatabaseUrls({ ...POOLED, ...DIRECT, ...OWNER })).toEqual({
      owner: OWNER.MIGRATION_DATABASE_URL,
      service: DIRECT.DATABASE_DIRECT_URL,
    }));

  it('are refused if one is not an address of PostgreSQL', () =>
    expect(() => readDatabaseUrls({ ...POOLED, DATABASE_DIRECT_URL: 'mysql://server/tenantry' })).toThrow(
      'DATABASE_DIRECT_URL',
    ));
});

import { environmentOf, InvalidSettings, wrongIn } from './read-environment';

/** The database as seen by two roles; the same URL twice when there is one role. */
export interface DatabaseUrls {
  /** Owns the schema and migrates it. */
  readonly owner: string;
  /** Reads and writes rows: DATABASE_DIRECT_URL, else DATABASE_URL. */
  readonly service: string;
}

/** The database settings of migrations and other commands. @throws InvalidSettings */
export function readDatabaseUrls(variables: NodeJS.ProcessEnv): DatabaseUrls {
  const env = environmentOf(variables);
  const problems = wrongIn(env, 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'MIGRATION_DATABASE_URL');
  if (problems.length > 0) throw new InvalidSettings(problems);
  const service = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
  return { owner: env.MIGRATION_DATABASE_URL ?? service, service };
}

/** What migrations need to know. */
export interface MigrationSettings {
  readonly urls: DatabaseUrls;
  /** Months for which audit entries are kept; undefined: indefinitely. */
  readonly auditRetentionMonths?: number;
}

/** @throws InvalidSettings */
export function readMigrationSettings(variables: NodeJS.ProcessEnv): MigrationSettings {
  const urls = readDatabaseUrls(variables);
  const env = environmentOf(variables);
  const problems = wrongIn(env, 'AUDIT_RETENTION_MONTHS');
  if (problems.length > 0) throw new InvalidSettings(problems);
  return { urls, auditRetentionMonths: env.AUDIT_RETENTION_MONTHS };
}

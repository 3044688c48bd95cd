import type { BenchFolder } from '../bench-database';
import { loadPopulation } from '../population/load-population';
import { Population, zipfSizes } from '../population/tenant-population';
import { rowsOf } from '../seed-data';
import type { SentRequests } from './operation-client';

/** A database with a number of users. */
export interface Rung {
  readonly name: string;
  /** In the tables: `10⁴`. */
  readonly label: string;
  readonly population: Population;
  readonly bytes: number;
  readonly sent: SentRequests;
  /** The current refresh tokens of the accounts that have refreshed. */
  readonly refreshTokens: Map<number, string>;
}

/** Creates and fills the database of a rung. */
export async function loadRung(server: BenchFolder, users: number, say: (line: string) => void): Promise<Rung> {
  const name = `ladder_${users}`;
  const { superuser } = await server.create(name);
  await rowsOf(superuser, 'CREATE EXTENSION pg_stat_statements');
  const population = new Population(zipfSizes(users));
  say(`${users} users in ${population.tenants} tenants, the largest with ${population.sizes[0]} members`);
  await loadPopulation(superuser, population, say);
  const [{ bytes }] = await rowsOf<{ bytes: number }>(
    superuser,
    'SELECT pg_database_size(current_database())::float8 AS bytes',
  );
  const sent = { me: 0, members: 0, refresh: 0, login: 0 };
  return { name, label: labelOf(users), population, bytes, sent, refreshTokens: new Map() };
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function labelOf(users: number): string {
  const exponent = Math.log10(users);
  return Number.isInteger(exponent) ? `10${DIGITS[exponent]}` : String(users);
}

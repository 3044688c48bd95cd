import { createHash } from 'node:crypto';
import { emailOf, idOf, refreshSecretOf, refreshTokenIdOf } from '../seed-data';
import { nameOf } from '../seed-names';
import type { CopyValue } from './copy-rows';
import type { Population } from './tenant-population';

type Rows = Iterable<readonly CopyValue[]>;

/** The rows of one table. */
export interface TableRows {
  readonly table: string;
  readonly columns: string;
  readonly rows: Rows;
}

const BUILT_IN = ['Owner', 'Admin', 'Member'];
const WEEK_MS = 7 * 24 * 3600 * 1000;

/**
 * The rows of accounts with a session each, three refresh tokens per session of which one is valid,
 * and tenants with their built-in roles and members.
 * @param passwordHash of all accounts
 */
export function rowsOfPopulation(population: Population, passwordHash: string): TableRows[] {
  const [now, expiry] = [new Date(), new Date(Date.now() + WEEK_MS)].map((date) => date.toISOString());
  const each = (row: (i: number) => readonly CopyValue[]) => numbers(population.users, row);
  const roleId = (tenant: number, role: number) => idOf(5, tenant * 3 + role);
  return [
    {
      table: 'users',
      columns: 'id, email, name, password_hash, password_set_at, is_email_verified, email_verified_at, created_at',
      rows: each((i) => [idOf(1, i), emailOf(i), fullName(i), passwordHash, now, true, now, now]),
    },
    {
      table: 'sessions',
      columns: `id, user_id, created_at, last_used_at, expires_at, ip, user_agent, is_proven, active_tenant_id,
        current_token_id`,
      rows: each((i) => {
        const tenant = idOf(4, population.membershipOf(i).tenant);
        return [idOf(2, i), idOf(1, i), now, now, expiry, '127.0.0.1', 'bench', true, tenant, refreshTokenIdOf(i)];
      }),
    },
    {
      table: 'refresh_tokens',
      columns: 'id, session_id, secret_hash, expires_at',
      rows: numbers(population.users * 3, (n) => {
        const [i, k] = [Math.ceil(n / 3), (n - 1) % 3];
        return [idOf(3, i * 3 + k), idOf(2, i), hashOf(k === 0 ? refreshSecretOf(i) : `spent-${n}`), expiry];
      }),
    },
    {
      table: 'tenants',
      columns: 'id, name, created_at, name_key',
      rows: numbers(population.tenants, (i) => [idOf(4, i), `Tenant ${i}`, now, `tenant ${i}`]),
    },
    {
      table: 'roles',
      columns: 'tenant_id, id, name, is_built_in, is_owner, permissions',
      rows: numbers(population.tenants * 3, (n) => {
        const [i, k] = [Math.ceil(n / 3), (n - 1) % 3];
        return [idOf(4, i), roleId(i, k), BUILT_IN[k], true, k === 0, '{}'];
      }),
    },
    {
      table: 'memberships',
      columns: 'tenant_id, user_id, id, role_id, is_owner, joined_at',
      rows: each((n) => {
        const account = population.accountOf(n - 1);
        const { tenant, isOwner } = population.membershipOf(account);
        return [idOf(4, tenant), idOf(1, account), idOf(6, n), roleId(tenant, isOwner ? 0 : 2), isOwner, now];
      }),
    },
  ];
}

function* numbers(count: number, row: (n: number) => readonly CopyValue[]): Rows {
  for (let n = 1; n <= count; n++) yield row(n);
}

function fullName(i: number): string {
  const { first, last } = nameOf(i);
  return `${first} ${last}`;
}

/** As COPY reads bytea: the backslash is escaped. */
const hashOf = (secret: string | Buffer) => `\\\\x${createHash('sha256').update(secret).digest('hex')}`;

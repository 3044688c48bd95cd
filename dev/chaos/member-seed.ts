import type { Client } from 'pg';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../../src/platform/database/tenant-scope';
import { newId } from '../../src/platform/ids';
import { sessionSql } from './session-sql';
import type { ChaosTenant } from './tenant-seed';

/** A user who joins and leaves one tenant. */
export interface Guest {
  readonly userId: string;
  readonly email: string;
}

/** A tenant with the users that can become its members. */
export interface SeatedTenant extends ChaosTenant {
  readonly memberRoleId: string;
  readonly guests: readonly Guest[];
}

/** Users per tenant who join and leave. */
const GUESTS = 4;
/** Members per tenant, at most, who stay; some tenants have more seats than a plan includes. */
const MOST_STAYING = 14;

const ROLES = `INSERT INTO roles (tenant_id, id, name, is_built_in, is_owner, permissions)
  SELECT tenant, role, 'Member', true, false, '{}' FROM jsonb_to_recordset($1) AS r (tenant uuid, role uuid)`;
const USERS = `INSERT INTO users (id, email, name, is_email_verified, created_at)
  SELECT "userId", email, 'Guest', true, now() FROM jsonb_to_recordset($1) AS u ("userId" uuid, email text)`;
const MEMBERS = `INSERT INTO memberships (tenant_id, user_id, id, role_id, is_owner, joined_at)
  SELECT tenant, "user", gen_random_uuid(), role, false, now()
    FROM jsonb_to_recordset($1) AS m (tenant uuid, "user" uuid, role uuid)`;
/**
 * Gives tenants a role for members, members who stay, users who may join, and Owners with a
 * session. One statement per table.
 * @param random decides how many members a tenant has from the start
 */
export async function seedMembers(
  database: Client,
  tenants: readonly ChaosTenant[],
  random: () => number,
): Promise<SeatedTenant[]> {
  const seated = tenants.map((tenant, index) => ({
    ...tenant,
    memberRoleId: newId(),
    guests: newUsers(`guest${index}`, GUESTS),
    staying: newUsers(`member${index}`, Math.floor(random() * (MOST_STAYING + 1))),
  }));
  const insert = (sql: string, rows: readonly object[]) => database.query(sql, [JSON.stringify(rows)]);
  await database.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}`);
  await insert(
    ROLES,
    seated.map(({ id, memberRoleId }) => ({ tenant: id, role: memberRoleId })),
  );
  await insert(
    USERS,
    seated.flatMap(({ guests, staying }) => [...guests, ...staying]),
  );
  await insert(
    MEMBERS,
    seated.flatMap(({ id, memberRoleId: role, staying }) =>
      staying.map(({ userId }) => ({ tenant: id, user: userId, role })),
    ),
  );
  await database.query(seated.map(({ ownerId, tokenId }) => sessionSql(ownerId, tokenId)).join(';'));
  await database.query('COMMIT');
  return seated;
}

function newUsers(name: string, count: number): Guest[] {
  return Array.from({ length: count }, (_, n) => ({ userId: newId(), email: `${name}-${n}@chaos.example` }));
}

import type { Client } from 'pg';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../../src/platform/database/tenant-scope';
import { newId } from '../../src/platform/ids';
import { digestOf, newSecretToken } from '../../src/platform/secret-token';
import { newAccessToken, type TokenSigner } from './access-token';
import { oneOf, type Action, type Situation } from './random-action';
import type { ApiClient } from './api-client';
import type { Guest, SeatedTenant } from './member-seed';
import { sessionSql } from './session-sql';

/** Members join with an invitation, leave, and are removed by the Owner. */
export class MemberActions {
  /** The tokens of the guests who are members, as far as the answers of the service say. */
  private readonly joined = new Map<Guest, string>();
  /** The last statement: the connection takes one at a time. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly api: ApiClient,
    private readonly database: Client,
    private readonly signer: TokenSigner,
  ) {}

  /** The actions of one guest of the tenant. */
  of({ tenant, random }: Situation): Action[] {
    const guest = oneOf(random, tenant.guests);
    const token = this.joined.get(guest);
    if (token === undefined) return [[5, () => this.join(tenant, guest)]];
    return [
      [2, () => this.remove(guest, token)],
      [2, () => this.remove(guest, tenant.token)],
    ];
  }

  /** With a session of its own, because a removal ends those of the member. */
  private async join(tenant: SeatedTenant, guest: Guest): Promise<void> {
    const [invitation, tokenId] = [newSecretToken(), newId()];
    const sql = `${sessionSql(guest.userId, tokenId)};${invitationSql(tenant, guest, digestOf(invitation))}`;
    this.last = this.last.then(() => this.database.query(sql));
    await this.last;
    const member = { ...guest, tenantId: tenant.id, role: 'Member', permissions: [], tokenId };
    const token = newAccessToken(this.signer, member);
    await this.api.request(token, 'POST', '/invitations/accept', { token: invitation });
    this.joined.set(guest, token);
  }

  /** @param token of the guest, who leaves, or of the Owner */
  private async remove(guest: Guest, token: string): Promise<void> {
    await this.api.request(token, 'DELETE', `/tenants/current/members/${guest.userId}`);
    this.joined.delete(guest);
  }
}

/** Invites without an email, whose limits would slow a run down. One text is one transaction. */
function invitationSql({ id, ownerId, memberRoleId }: SeatedTenant, { email }: Guest, digest: Buffer): string {
  return `${setTenantScopeSql(EVERY_TENANT)};
    INSERT INTO invitations (tenant_id, id, email, role_id, invited_by, token_hash, created_at, expires_at)
    VALUES ('${id}', '${newId()}', '${email}', '${memberRoleId}', '${ownerId}', '\\x${digest.toString('hex')}',
      now(), now() + interval '7 days')
    ON CONFLICT (tenant_id, email) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`;
}

import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { IsNull, Not } from 'typeorm';
import type { TenantActor } from '../../http/access/actor';
import type { Page, PageRequest } from '../../platform/pagination';
import { EntityReader, withoutUndefined } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { API_KEY_COLUMNS } from '../data/api-key.columns';
import { ApiKey } from '../domain/api-key';
import type { ApiKeyView } from '../http/views/keys.views';

/** Whose keys are listed: those of service accounts, or the personal tokens of members. */
export const KEY_OWNERS = ['service-account', 'member'] as const;
export type KeyOwnerKind = (typeof KEY_OWNERS)[number];

/** A page of keys, of one kind of owner or of one service account; absent: all. */
type KeysRequest = PageRequest & { readonly owner?: KeyOwnerKind; readonly serviceAccountId?: string };

/**
 * Lists the keys of the active tenant, newest first: those of service accounts and the personal
 * tokens of members, also those that can no longer be used.
 */
export class ListKeys extends Query<Result<Page<ApiKeyView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: KeysRequest,
  ) {
    super();
  }
}

@QueryHandler(ListKeys)
export class ListKeysHandler implements IQueryHandler<ListKeys> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, page }: ListKeys): Promise<Result<Page<ApiKeyView>>> {
    const { owner, serviceAccountId } = page;
    const userId = owner && (owner === 'member' ? Not(IsNull()) : IsNull());
    const where = withoutUndefined({ tenantId: actor.tenantId, serviceAccountId, userId });
    const rows = { scope: actor, select: API_KEY_COLUMNS, where };
    return ok(await this.reader.findPage(ApiKey, rows, page));
  }
}

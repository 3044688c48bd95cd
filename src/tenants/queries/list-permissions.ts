import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '../../platform/pagination';
import { ALL_PERMISSIONS, PERMISSIONS } from '../../platform/permissions';
import { ok, type Result } from '../../platform/result';
import type { PermissionView } from '../http/views/tenants.views';

/** Lists the permission catalogue on one page, for the role editor. */
export class ListPermissions extends Query<Result<Page<PermissionView>>> {}

@QueryHandler(ListPermissions)
export class ListPermissionsHandler implements IQueryHandler<ListPermissions> {
  execute(): Promise<Result<Page<PermissionView>>> {
    const items = ALL_PERMISSIONS.map((name) => ({ name, description: PERMISSIONS[name] }));
    return Promise.resolve(ok({ items, nextCursor: null }));
  }
}

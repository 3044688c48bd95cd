import type { AnyClass } from '../../platform/any-class';
import { sourceClasses } from '../../platform/source-classes';
import { describedKind } from '../domain/notification-data';

/**
 * The classes that describe the data of notifications, by kind.
 * @throws if several describe the same kind, or one describes none
 */
export function notificationSchemas(classes = sourceClasses('notifications')): ReadonlyMap<string, AnyClass> {
  const schemas = new Map<string, AnyClass>();
  for (const data of classes) {
    const kind = describedKind(data);
    if (kind === undefined) throw new Error(`${data.name} describes no notification. Add @NotificationSchema.`);
    const other = schemas.get(kind);
    if (other)
      throw new Error(`Several classes describe the notification '${kind}': ${other.name}, ${data.name}. Keep one.`);
    schemas.set(kind, data);
  }
  return schemas;
}

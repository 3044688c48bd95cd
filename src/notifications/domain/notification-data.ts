import type { JsonFields } from '../../platform/json-fields';

const KIND = 'tenantry:notification-kind';

/**
 * The data of each kind of notification. The module that sends a kind adds it here by declaration
 * merging (docs/add-a-module.md, Notifications).
 */
export interface NotificationData {} // eslint-disable-line @typescript-eslint/no-empty-object-type

/** The kinds of notifications (docs/contract.md, Notifications). */
export type NotificationKind = keyof NotificationData;

/** A class that describes the data of a kind. All fields are JSON, because they are stored. */
type DataClass<K extends NotificationKind> = new () => NotificationData[K] & JsonFields<NotificationData[K]>;

/**
 * Registers a class as the schema of the data of a kind, for the API document. It is found in the
 * `notifications` folder of a module. A kind that is no longer sent keeps its class, because its
 * notifications are still listed.
 */
export function NotificationSchema<K extends NotificationKind>(kind: K) {
  return (data: DataClass<K>): void => Reflect.defineMetadata(KIND, kind, data);
}

/** The kind that a class describes, or undefined if it describes none. */
export const describedKind = (data: object): string | undefined =>
  Reflect.getOwnMetadata(KIND, data) as string | undefined;

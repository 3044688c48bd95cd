import { UserImpersonated } from '../../src/auth/domain/operator-events';
import { NotificationSchema } from '../../src/notifications/domain/notification-data';
import type { NewNotification, Notifier } from '../../src/notifications/notifications.api';

// Compiled by `npm run types` only: each expected error that is missing is an error.

declare const notifier: Notifier;
const to = { tenantId: null, userId: 'a' };

export function register(): void {
  notifier.on(UserImpersonated, ['AccountAccessed'], ([{ reason }]) => [
    { ...to, kind: 'AccountAccessed', data: { reason } },
  ]);
  notifier.on(UserImpersonated, ['AccountAccessed'], () => [
    // @ts-expect-error the data have a reason
    { ...to, kind: 'AccountAccessed', data: {} },
  ]);
  // @ts-expect-error the kind is not among the declared ones
  notifier.on(UserImpersonated, ['MemberJoined'], () => [{ ...to, kind: 'AccountAccessed', data: { reason: null } }]);
  // @ts-expect-error no module has this kind
  notifier.on(UserImpersonated, ['Unknown'], () => []);
}

// @ts-expect-error the data are those of another kind
export const mixed: NewNotification = { ...to, kind: 'TrialEnding', data: { reason: null } };

// @ts-expect-error the data have no other field
export const wider: NewNotification = { ...to, kind: 'AccountAccessed', data: { reason: null, endsAt: '' } };

/** What a reader knows after comparing the kind. */
export function planOf(notification: NewNotification): string {
  if (notification.kind === 'TrialEnding') return notification.data.plan;
  // @ts-expect-error not every kind has a plan
  return notification.data.plan as string;
}

@NotificationSchema('AccountAccessed')
export class RightData {
  readonly reason!: string | null;
}
// @ts-expect-error the field is missing
@NotificationSchema('AccountAccessed')
export class IncompleteData {}
// @ts-expect-error no module has this kind
@NotificationSchema('Unknown')
export class UnknownData {}

declare module '../../src/notifications/domain/notification-data' {
  interface NotificationData {
    TypesTestOnly: DatedData;
  }
}
// @ts-expect-error a Date is not JSON
@NotificationSchema('TypesTestOnly')
class DatedData {
  readonly at!: Date;
}

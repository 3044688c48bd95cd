import { NullableText } from '../../http/validation/nullable.decorators';
import { NotificationSchema } from '../../notifications/notifications.api';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    AccountAccessed: AccountAccessedData;
  }
}

/** An operator started to impersonate the user. */
@NotificationSchema('AccountAccessed')
export class AccountAccessedData {
  @NullableText({ description: 'Reason that the operator gave' }) readonly reason!: string | null;
}

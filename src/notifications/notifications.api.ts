/** What other modules may use of this one. */
export type { NewNotification } from './domain/notification';
export { NotificationSchema } from './domain/notification-data';
export { Notifier } from './services/notifier';

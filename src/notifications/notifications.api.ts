/** What other modules may use of this one. */
export type { NewNotification } from './data/notification.repository';
export { Notifier } from './services/notifier';

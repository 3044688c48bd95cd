/** What other modules may use of this one. */
export type { NewNotification } from './domain/notification';
export { Notifier } from './services/notifier';

/** What other modules may use of this one. */
export { NotificationRepository, type NewNotification } from './data/notification.repository';

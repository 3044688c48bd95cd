import { DomainEvent, type ActorRef } from '../platform/domain-events';
import type { User } from './domain/user';

/** A user changed their display name. The event belongs to no tenant. */
export class UserRenamed extends DomainEvent {
  constructor(by: ActorRef, { id, name }: Pick<User, 'id' | 'name'>) {
    super('user.renamed', by, null, { type: 'user', id }, { name });
  }
}

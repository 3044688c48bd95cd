import { DomainEvent, type ActorRef } from '../platform/domain-events';
import type { User } from './domain/user';

/** What happens to accounts, told in the transaction in which it does. It belongs to no tenant. */
export class UserRenamed extends DomainEvent {
  constructor(by: ActorRef, { id, name }: Pick<User, 'id' | 'name'>) {
    super('user.renamed', by, null, { type: 'user', id }, { name });
  }
}

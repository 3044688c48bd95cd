import { DomainEvent, type ActorRef } from '../platform/domain-events';
import type { User } from './domain/user';

/** A user changed their display name. The event belongs to no tenant. */
export class UserRenamed extends DomainEvent {
  static readonly action = 'user.renamed';

  constructor(by: ActorRef, { id, name }: Pick<User, 'id' | 'name'>) {
    super(by, null, { type: 'user', id }, { name });
  }
}

/** A user changed or removed their picture. The event belongs to no tenant. */
export class UserPictureChanged extends DomainEvent {
  static readonly action = 'user.picture-changed';

  constructor(by: ActorRef, userId: string) {
    super(by, null, { type: 'user', id: userId });
  }
}

/** The address of an account changed. The event belongs to no tenant. */
export abstract class AccountEmailChanged extends DomainEvent {
  constructor(
    by: ActorRef,
    readonly userId: string,
  ) {
    super(by, null, { type: 'user', id: userId });
  }
}

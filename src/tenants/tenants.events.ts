import { DomainEvent, type ActorRef } from '../platform/domain-events';
import type { Invitation } from './domain/invitation';
import type { Role } from './domain/role';
import type { Tenant } from './domain/tenant';

/** The domain events of tenants, published in the transaction of the change. */

export class TenantCreated extends DomainEvent {
  constructor(by: ActorRef, { id, name }: Tenant) {
    super('tenant.created', by, id, { type: 'tenant', id }, { name });
  }
}

export class TenantRenamed extends DomainEvent {
  constructor(by: ActorRef, { id, name }: Tenant) {
    super('tenant.renamed', by, id, { type: 'tenant', id }, { name });
  }
}

export class TenantDeleted extends DomainEvent {
  constructor(by: ActorRef, { id, name }: Tenant) {
    super('tenant.deleted', by, id, { type: 'tenant', id }, { name });
  }
}

export class OwnershipTransferred extends DomainEvent {
  constructor(by: ActorRef, tenantId: string, newOwnerId: string) {
    super('tenant.ownership-transferred', by, tenantId, { type: 'user', id: newOwnerId });
  }
}

export class MemberJoined extends DomainEvent {
  constructor(
    by: ActorRef,
    tenantId: string,
    userId: string,
    readonly role: Pick<Role, 'id' | 'name'>,
    /** The new member, and the users to notify: the Owner and the sender of the invitation. */
    readonly recipients: {
      readonly name: string;
      readonly email: string;
      readonly ownerId: string;
      readonly senderId: string;
    },
  ) {
    super('member.joined', by, tenantId, { type: 'user', id: userId }, { roleId: role.id, role: role.name });
  }
}

export class MemberRoleChanged extends DomainEvent {
  constructor(by: ActorRef, userId: string, { tenantId, id, name }: Role) {
    super('member.role-changed', by, tenantId, { type: 'user', id: userId }, { roleId: id, role: name });
  }
}

/** A member was removed or left; if they left, the actor is the target. */
export class MemberRemoved extends DomainEvent {
  constructor(by: ActorRef, tenantId: string, userId: string) {
    super('member.removed', by, tenantId, { type: 'user', id: userId });
  }
}

export class RoleCreated extends DomainEvent {
  constructor(by: ActorRef, { tenantId, id, name, permissions }: Role) {
    super('role.created', by, tenantId, { type: 'role', id }, { name, permissions });
  }
}

export class RoleUpdated extends DomainEvent {
  constructor(by: ActorRef, { tenantId, id, name, permissions }: Role) {
    super('role.updated', by, tenantId, { type: 'role', id }, { name, permissions });
  }
}

export class RoleDeleted extends DomainEvent {
  constructor(by: ActorRef, { tenantId, id, name }: Role) {
    super('role.deleted', by, tenantId, { type: 'role', id }, { name });
  }
}

type InvitationRef = Pick<Invitation, 'tenantId' | 'id' | 'email'>;

abstract class InvitationEvent extends DomainEvent {
  constructor(
    action: string,
    by: ActorRef,
    { tenantId, id, email }: InvitationRef,
    data: Record<string, unknown> = {},
  ) {
    super(action, by, tenantId, { type: 'invitation', id }, { email, ...data });
  }
}

export class InvitationSent extends InvitationEvent {
  constructor(
    by: ActorRef,
    readonly invitation: InvitationRef,
    readonly role: Pick<Role, 'id' | 'name'>,
    /** The users to notify: the Owner, and the invited user if the address has an account. */
    readonly recipients: {
      readonly ownerId: string;
      readonly invitedUserId: string | null;
      readonly tenantName: string;
    },
  ) {
    super('invitation.sent', by, invitation, { roleId: role.id, role: role.name });
  }
}

export class InvitationResent extends InvitationEvent {
  constructor(by: ActorRef, invitation: InvitationRef) {
    super('invitation.resent', by, invitation);
  }
}

export class InvitationRevoked extends InvitationEvent {
  constructor(by: ActorRef, invitation: InvitationRef) {
    super('invitation.revoked', by, invitation);
  }
}

export class InvitationAccepted extends InvitationEvent {
  constructor(by: ActorRef, invitation: InvitationRef) {
    super('invitation.accepted', by, invitation);
  }
}

import { DomainEvent, type ActorRef } from '../platform/domain-events';
import type { Invitation } from './domain/invitation';
import type { Role } from './domain/role';
import type { Tenant } from './domain/tenant';

/** The domain events of tenants, published in the transaction of the change. */

export class TenantCreated extends DomainEvent {
  static readonly action = 'tenant.created';

  constructor(by: ActorRef, { id, name }: Tenant) {
    super(by, id, { type: 'tenant', id }, { name });
  }
}

export class TenantRenamed extends DomainEvent {
  static readonly action = 'tenant.renamed';

  constructor(
    by: ActorRef,
    readonly tenant: Tenant,
  ) {
    const { id, name } = tenant;
    super(by, id, { type: 'tenant', id }, { name });
  }
}

export class TenantDeleted extends DomainEvent {
  static readonly action = 'tenant.deleted';

  constructor(by: ActorRef, { id, name }: Tenant) {
    super(by, id, { type: 'tenant', id }, { name });
  }
}

export class OwnershipTransferred extends DomainEvent {
  static readonly action = 'tenant.ownership-transferred';

  constructor(by: ActorRef, tenantId: string, newOwnerId: string) {
    super(by, tenantId, { type: 'user', id: newOwnerId });
  }
}

export class MemberJoined extends DomainEvent {
  static readonly action = 'member.joined';

  constructor(
    by: ActorRef,
    tenantId: string,
    readonly userId: string,
    readonly role: Pick<Role, 'id' | 'name'>,
    /** The new member, and the users to notify: the Owner and the sender of the invitation. */
    readonly recipients: {
      readonly name: string;
      readonly email: string;
      readonly ownerId: string;
      readonly senderId: string;
    },
  ) {
    super(by, tenantId, { type: 'user', id: userId }, { roleId: role.id, role: role.name });
  }
}

export class MemberRoleChanged extends DomainEvent {
  static readonly action = 'member.role-changed';

  constructor(
    by: ActorRef,
    readonly userId: string,
    readonly role: Role,
  ) {
    const { tenantId, id, name } = role;
    super(by, tenantId, { type: 'user', id: userId }, { roleId: id, role: name });
  }
}

/** A member was removed or left; if they left, the actor is the target. */
export class MemberRemoved extends DomainEvent {
  static readonly action = 'member.removed';

  constructor(
    by: ActorRef,
    tenantId: string,
    readonly userId: string,
  ) {
    super(by, tenantId, { type: 'user', id: userId });
  }
}

abstract class RoleEvent extends DomainEvent {
  constructor(
    by: ActorRef,
    readonly role: Role,
    data: Record<string, unknown>,
  ) {
    super(by, role.tenantId, { type: 'role', id: role.id }, data);
  }
}

export class RoleCreated extends RoleEvent {
  static readonly action = 'role.created';

  constructor(by: ActorRef, role: Role) {
    const { name, permissions } = role;
    super(by, role, { name, permissions });
  }
}

export class RoleUpdated extends RoleEvent {
  static readonly action = 'role.updated';

  constructor(by: ActorRef, role: Role) {
    const { name, permissions } = role;
    super(by, role, { name, permissions });
  }
}

export class RoleDeleted extends RoleEvent {
  static readonly action = 'role.deleted';

  /** @param revoked how many invitations to the role were revoked */
  constructor(by: ActorRef, role: Role, revoked: number) {
    const { name } = role;
    super(by, role, { name, ...(revoked > 0 && { revokedInvitations: revoked }) });
  }
}

type InvitationRef = Pick<Invitation, 'tenantId' | 'id' | 'email' | 'roleId' | 'expiresAt'>;

abstract class InvitationEvent extends DomainEvent {
  constructor(
    by: ActorRef,
    readonly invitation: InvitationRef,
    data: Record<string, unknown> = {},
  ) {
    const { tenantId, id, email } = invitation;
    super(by, tenantId, { type: 'invitation', id }, { email, ...data });
  }
}

export class InvitationSent extends InvitationEvent {
  static readonly action = 'invitation.sent';

  constructor(
    by: ActorRef,
    invitation: InvitationRef,
    readonly role: Pick<Role, 'id' | 'name'>,
    /** The users to notify: the Owner, and the invited user if the address has an account. */
    readonly recipients: {
      readonly ownerId: string;
      readonly invitedUserId: string | null;
      readonly tenantName: string;
    },
  ) {
    super(by, invitation, { roleId: role.id, role: role.name });
  }
}

export class InvitationResent extends InvitationEvent {
  static readonly action = 'invitation.resent';

  constructor(by: ActorRef, invitation: InvitationRef) {
    super(by, invitation);
  }
}

export class InvitationRevoked extends InvitationEvent {
  static readonly action = 'invitation.revoked';

  constructor(by: ActorRef, invitation: InvitationRef) {
    super(by, invitation);
  }
}

export class InvitationAccepted extends InvitationEvent {
  static readonly action = 'invitation.accepted';

  constructor(by: ActorRef, invitation: InvitationRef) {
    super(by, invitation);
  }
}

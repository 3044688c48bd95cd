import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ok, type Result } from '../../platform/result';
import { InvitationDetailsRepository } from '../data/invitation-details.repository';
import type { InvitationPreview } from '../http/views/tenants.views';

/**
 * Shows an invitation to the holder of its token, without using it up. INVITATION_INVALID,
 * INVITATION_EXPIRED.
 */
export class PreviewInvitation extends Query<Result<InvitationPreview, 'INVITATION_EXPIRED' | 'INVITATION_INVALID'>> {
  constructor(readonly token: string) {
    super();
  }
}

@QueryHandler(PreviewInvitation)
export class PreviewInvitationHandler implements IQueryHandler<PreviewInvitation> {
  constructor(private readonly invitations: InvitationDetailsRepository) {}

  async execute({ token }: PreviewInvitation) {
    const found = await this.invitations.findAcceptable(token);
    if (!found.ok) return found;
    const { invitation, tenant, role, sender, account } = found.value;
    return ok({
      tenantName: tenant.name,
      inviterName: sender!.name,
      email: invitation.email,
      role: role.name,
      accountExists: account?.isEmailVerified ?? false,
      expiresAt: invitation.expiresAt,
    });
  }
}

import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ok, type Result } from '../../platform/result';
import { InvitationRepository } from '../data/invitation.repository';
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
  constructor(private readonly invitations: InvitationRepository) {}

  async execute({ token }: PreviewInvitation) {
    const found = await this.invitations.find(token);
    if (!found.ok) return found;
    const { tenantName, inviterName, email, role, accountExists, expiresAt } = found.value;
    return ok({ tenantName, inviterName, email, role, accountExists, expiresAt });
  }
}

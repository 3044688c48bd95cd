import { ApiProperty } from '@nestjs/swagger';
import { NullableTime } from '../../../../http/validation/nullable.decorators';
import { BLOCKER_REASONS, type BlockerReason } from '../../domain/deletion-blocker';

export class DeletedTenantView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly tenantId!: string;
  @ApiProperty({ type: String }) readonly name!: string;
}

export class DeletionBlockerView extends DeletedTenantView {
  @ApiProperty({
    enum: BLOCKER_REASONS,
    description:
      '`members`: transfer the ownership or delete the tenant; ' +
      '`subscription`: cancel the subscription, and wait until it has ended',
  })
  readonly reason!: BlockerReason;
}

/** When an account is deleted. */
export class PlannedDeletionView {
  @ApiProperty({ type: String, format: 'date-time' }) readonly deletesAt!: Date;
}

/** What the deletion of an account means (docs/contract.md, Deletion of an account). */
export class AccountDeletionView {
  @NullableTime('Time at which the account will be deleted; null if no deletion is planned')
  readonly deletesAt!: Date | null;
  @ApiProperty({ type: [DeletionBlockerView], description: 'Tenants that prevent the deletion' })
  readonly blockers!: readonly DeletionBlockerView[];
  @ApiProperty({ type: [DeletedTenantView], description: 'Tenants that are deleted with the account' })
  readonly deletedTenants!: readonly DeletedTenantView[];
}

import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';
import { ALL_PERMISSIONS, type Permission } from '../../../platform/permissions';
import { RESOURCE_KINDS, type ResourceKind } from '../../domain/orphaned-resource';

/** What a member has left in the tenant and still works. */
export class OrphanedResourceView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ enum: RESOURCE_KINDS }) readonly kind!: ResourceKind;
  @ApiProperty({ type: String, format: 'uuid', description: 'Id of the service account, endpoint or stream' })
  readonly resourceId!: string;
  @ApiProperty({ type: String, example: 'Service account "Nightly import"' }) readonly name!: string;
  @NullableText({ format: 'uuid', description: 'User who had made it; null if the account was deleted' })
  readonly leftBy!: string | null;
  @NullableText({ description: 'Name of that user' }) readonly leftByName!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly leftAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', description: 'When it is disabled unless somebody takes it over' })
  readonly disabledAt!: Date;
  @ApiProperty({
    enum: ALL_PERMISSIONS,
    enumName: 'Permission',
    isArray: true,
    description: 'Permissions of the keys that were left',
  })
  readonly permissions!: readonly Permission[];
}

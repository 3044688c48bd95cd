import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';

export class AuditEntryView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'date-time' }) readonly at!: Date;
  @ApiProperty({ type: String, example: 'role.created' }) readonly action!: string;
  @NullableText({
    format: 'uuid',
    description: 'User who performed the action; null for anonymous requests and the system',
  })
  readonly actorId!: string | null;
  @NullableText({
    format: 'uuid',
    description: 'Admin who impersonated that user. For user.impersonated, both ids are the admin',
  })
  readonly impersonatorId!: string | null;
  @NullableText({ description: '`service` for a service account, `token` for a personal token; null for people' })
  readonly principalKind!: string | null;
  @NullableText({ format: 'uuid', description: 'Id of the service account or the personal token' })
  readonly principalId!: string | null;
  @NullableText({ format: 'uuid' }) readonly tenantId!: string | null;
  @ApiProperty({ type: String, example: 'role' }) readonly targetType!: string;
  @ApiProperty({ type: String }) readonly targetId!: string;
  @NullableText() readonly ip!: string | null;
  @ApiProperty({ type: String, description: 'X-Request-Id of the request' }) readonly requestId!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Further details; the fields depend on the action',
  })
  readonly data!: object;
}

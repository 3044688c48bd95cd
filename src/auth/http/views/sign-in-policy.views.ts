import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableTime } from '../../../http/validation/nullable.decorators';
import { POLICY_METHODS, type PolicyMethod } from '../../domain/sign-in-policy';

/** What a tenant asks of sessions and personal tokens. Null means no rule. */
export class SignInPolicyView {
  @NullableTime('Time from which sessions need a second factor; null: not required')
  readonly secondFactorFrom!: Date | null;
  @NullableInteger('Maximum age of a session in this tenant, in hours; null: no limit')
  readonly maxSessionHours!: number | null;
  @ApiProperty({
    anyOf: [{ type: 'array', items: { type: 'string', enum: [...POLICY_METHODS] } }, { type: 'null' }],
    description: 'Allowed sign-in methods; null: all',
    example: ['google'],
  })
  readonly allowedMethods!: readonly PolicyMethod[] | null;
  @NullableInteger('Maximum age of personal tokens, in days; 0: they are not allowed; null: the default limit')
  readonly maxTokenDays!: number | null;
  @NullableTime('Time at which the policy was set; null if it never was') readonly updatedAt!: Date | null;
}

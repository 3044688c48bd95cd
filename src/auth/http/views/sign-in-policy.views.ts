import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableTime } from '../../../http/validation/nullable.decorators';
import { POLICY_METHODS, type PolicyMethod } from '../../domain/sign-in-policy';

/** What a tenant asks of sessions and personal tokens. Null means no rule. */
export class SignInPolicyView {
  @NullableTime('From when on a session needs a second factor') readonly secondFactorFrom!: Date | null;
  @NullableInteger('Hours after the sign-in in which a session can be used in this tenant')
  readonly maxSessionHours!: number | null;
  @ApiProperty({
    anyOf: [{ type: 'array', items: { type: 'string', enum: [...POLICY_METHODS] } }, { type: 'null' }],
    description: 'How users can sign in',
    example: ['google'],
  })
  readonly allowedMethods!: readonly PolicyMethod[] | null;
  @NullableInteger('Days for which a personal token can be used; 0: none can') readonly maxTokenDays!: number | null;
  @NullableTime('When the policy was set') readonly updatedAt!: Date | null;
}

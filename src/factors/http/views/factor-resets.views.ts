import { ApiProperty } from '@nestjs/swagger';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { FACTOR_RESET_STATES, type FactorResetState } from '../../domain/factor-reset';

const id = { type: String, format: 'uuid' };
const moment = { type: String, format: 'date-time' };

/** A request to reset the second factor of a user. */
export class FactorResetView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty(id) readonly userId!: string;
  @ApiProperty({ type: String, example: 'Ticket 4713: phone lost, identity checked by video call' })
  readonly reason!: string;
  @ApiProperty({
    enum: FACTOR_RESET_STATES,
    description: '`requested` and `approved` resets are open, the others are final; the user stopped a `stopped` one',
  })
  readonly state!: FactorResetState;
  @ApiProperty({ ...id, description: 'Id of the operator who requested it' }) readonly requestedBy!: string;
  @ApiProperty(moment) readonly requestedAt!: Date;
  @NullableText({ format: 'uuid', description: 'Id of the operator who approved it' })
  readonly approvedBy!: string | null;
  @NullableTime() readonly approvedAt!: Date | null;
  @NullableText({
    format: 'uuid',
    description: 'Id of the user who canceled or stopped it; null if the service closed it',
  })
  readonly closedBy!: string | null;
  @NullableTime() readonly closedAt!: Date | null;
  @ApiProperty({ ...moment, description: 'Earliest time of the reset, once it is approved' }) readonly dueAt!: Date;
  @ApiProperty({ ...moment, description: 'Time at which it expires if it is not approved' }) readonly expiresAt!: Date;
}

import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';

export const MATCH_KINDS = ['user', 'tenant', 'webhook-event', 'job'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/** A record that a search found. */
export class MatchView {
  @ApiProperty({ enum: MATCH_KINDS }) readonly kind!: MatchKind;
  @ApiProperty({ type: String, example: '42', description: 'Id of the record; of a session, the id of its user' })
  readonly id!: string;
  @ApiProperty({ type: String, example: 'Ada Lovelace' }) readonly title!: string;
  @NullableText({ description: 'Distinguishing detail, such as the email' }) readonly detail!: string | null;
}

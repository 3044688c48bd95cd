import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';
import type { UserProfile } from '../../domain/user-profile';

/** An account, as its owner sees it (docs/contract.md, Account operations). */
export class UserView implements UserProfile {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @ApiProperty({ type: Boolean }) readonly isEmailVerified!: boolean;
  @NullableText() readonly pictureUrl!: string | null;
  @NullableText({ description: 'The language of pages and dates (BCP 47); null: that of the device' })
  readonly language!: string | null;
  @NullableText({ description: 'The time zone of dates (IANA); null: that of the device' })
  readonly timeZone!: string | null;
  @ApiProperty({ type: Boolean, description: 'Whether the user has global admin access' }) readonly isAdmin!: boolean;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

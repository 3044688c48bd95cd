import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';

/** A browser in which the current user signs in without the second factor. */
export class TrustedBrowserView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @NullableText() readonly ip!: string | null;
  @NullableText() readonly userAgent!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ type: String, format: 'date-time' }) readonly expiresAt!: Date;
  @ApiProperty({ type: Boolean, description: 'Whether this browser sent the request' }) readonly current!: boolean;
}

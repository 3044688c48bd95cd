import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';

/** An active session of the current user. */
export class SessionView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ type: String, format: 'date-time' }) readonly lastUsedAt!: Date;
  @NullableText() readonly ip!: string | null;
  @NullableText() readonly userAgent!: string | null;
  @ApiProperty({ type: Boolean, description: 'Whether this session sent the request' }) readonly current!: boolean;
}

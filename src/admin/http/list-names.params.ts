import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsUUID } from 'class-validator';

const MAX_IDS = 100;

/** The ids to resolve. */
export class ListNamesParams {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @ArrayMaxSize(MAX_IDS, { message: `must contain at most ${MAX_IDS} items` })
  // checked first: decorators apply bottom-up
  @IsUUID('all', { each: true, message: 'must be UUIDs separated by commas' })
  @ApiProperty({ type: String, description: `1 to ${MAX_IDS} ids of users and tenants, separated by commas` })
  ids!: string[];
}

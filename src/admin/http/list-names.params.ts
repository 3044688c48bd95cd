import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsUUID } from 'class-validator';

const MOST = 100;

/** Whose names are asked for. */
export class NameIds {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @ArrayMaxSize(MOST, { message: `must be ${MOST} at most` })
  // looked at first: decorators apply from below
  @IsUUID('all', { each: true, message: 'must be UUIDs, with commas between them' })
  @ApiProperty({ type: String, description: `1 to ${MOST} ids of accounts and tenants, with commas between them` })
  ids!: string[];
}

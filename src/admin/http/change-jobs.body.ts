import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { EachItem } from '../../http/validation/each-item.decorator';
import { NUMBER } from '../../http/validation/number-param.decorator';

const MOST = 100;

/** Which jobs are to be changed together. */
export class ChangeJobsBody {
  @EachItem((id) => typeof id === 'string' && NUMBER.test(id), 'must be a whole number, as text')
  @ArrayMaxSize(MOST, { message: `must be ${MOST} at most` })
  @ArrayMinSize(1, { message: 'must name at least one job' })
  @IsArray({ message: 'must be a list' }) // looked at first: decorators apply from below
  @ApiProperty({ type: [String], minItems: 1, maxItems: MOST, example: ['42', '43'] })
  ids!: string[];
}

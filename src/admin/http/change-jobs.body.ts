import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { EachItem } from '../../http/validation/each-item.decorator';
import { TextField } from '../../http/validation/text-field.decorators';
import { NUMBER } from '../../http/validation/number-param.decorator';

const MAX_JOBS = 100;

/** The jobs to change together. */
export class ChangeJobsBody {
  @EachItem((id) => typeof id === 'string' && NUMBER.test(id), 'must be a whole number as a string')
  @ArrayMaxSize(MAX_JOBS, { message: `must contain at most ${MAX_JOBS} items` })
  @ArrayMinSize(1, { message: 'must contain at least one id' })
  @IsArray({ message: 'must be a list' }) // checked first: decorators apply bottom-up
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_JOBS, example: ['42', '43'] })
  ids!: string[];
}

/** The task whose failed jobs are retried. */
export class RetryTaskBody {
  @TextField(1, 128, 'send-link-mail') task!: string;
}

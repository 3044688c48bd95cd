import { Body, Injectable, type PipeTransform } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { FailureException } from '../../edge/failure-status';
import { NUMBER } from '../../edge/number-param';
import { invalid } from '../../platform/platform.failures';

const MOST = 100;

/** Which jobs are to be changed together. */
export class ChangeJobsBody {
  @ArrayMaxSize(MOST, { message: `must be ${MOST} at most` })
  @ArrayMinSize(1, { message: 'must name at least one job' })
  @IsArray({ message: 'must be a list' }) // looked at first: decorators apply from below
  @ApiProperty({ type: [String], minItems: 1, maxItems: MOST, example: ['42', '43'] })
  ids!: string[];
}

/** Tells which item is none, which class-validator does not: as `ids.3`. */
@Injectable()
class CheckIds implements PipeTransform<ChangeJobsBody, ChangeJobsBody> {
  transform(body: ChangeJobsBody): ChangeJobsBody {
    const wrong = (body.ids as unknown[]).flatMap((id, index) => (typeof id === 'string' && NUMBER.test(id) ? [] : index));
    if (wrong.length === 0) return body;
    throw new FailureException(invalid(Object.fromEntries(wrong.map((index) => [`ids.${index}`, ['must be a whole number, as text']]))));
  }
}

/** A ChangeJobsBody, each of whose ids is one. */
export const JobIds = () => Body(CheckIds);

import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/field.decorators';
import { JOB_STATES, type JobState } from '../../../platform/jobs/job-states';

const moment = { type: String, format: 'date-time' };

/** Work that is to be done, is being done, or could not be done. */
export class JobView {
  @ApiProperty({ type: String, example: '42' }) readonly id!: string;
  @ApiProperty({ type: String, example: 'send-link-mail' }) readonly task!: string;
  @ApiProperty({ enum: JOB_STATES }) readonly state!: JobState;
  @ApiProperty({ type: 'integer', description: 'How often it was tried' }) readonly attempts!: number;
  @ApiProperty({ type: 'integer', description: 'After so many it is dead' }) readonly maxAttempts!: number;
  @NullableText({ description: 'What the last attempt failed with; it stays until another succeeds' }) readonly error!:
    string | null;
  @NullableText({ description: 'While a job with a key waits, another one with it replaces it' }) readonly key!:
    string | null;
  @ApiProperty({ ...moment, description: 'Not before' }) readonly runAt!: Date;
  @ApiProperty(moment) readonly createdAt!: Date;
  @NullableText({ format: 'date-time', description: 'Since when it is being worked' }) readonly startedAt!: Date | null;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The command; it never holds a secret' })
  readonly command!: object;
  @NullableText({ description: 'X-Request-Id of the request that caused it' }) readonly requestId!: string | null;
}

/** What has become of jobs that were to be changed together. */
export class JobsChangedView {
  @ApiProperty({ type: [String], description: 'Those that are changed' }) readonly changed!: readonly string[];
  @ApiProperty({ type: [String], description: 'Those that are being worked right now, and are left as they are' })
  readonly running!: readonly string[];
  @ApiProperty({ type: [String], description: 'Those that are not there (any more)' })
  readonly missing!: readonly string[];
}

/** How many jobs of a task are in each state. */
export class JobQueueView implements Record<JobState, number> {
  @ApiProperty({ type: String, example: 'send-link-mail' }) readonly task!: string;
  @ApiProperty({ type: 'integer', description: 'Due or scheduled, and never tried' }) readonly waiting!: number;
  @ApiProperty({ type: 'integer', description: 'Being worked' }) readonly running!: number;
  @ApiProperty({ type: 'integer', description: 'Failed before, and to be tried again' }) readonly retrying!: number;
  @ApiProperty({ type: 'integer', description: 'Out of attempts' }) readonly dead!: number;
}

/** What was finished in a step of time. */
export class JobRateView {
  @ApiProperty({ ...moment, description: 'When the step begins' }) readonly at!: Date;
  @ApiProperty({ type: 'integer', description: 'Attempts that succeeded' }) readonly done!: number;
  @ApiProperty({ type: 'integer', description: 'Attempts that failed' }) readonly failed!: number;
}

/** How fast the queue is worked, over time. */
export class JobRatesView {
  @ApiProperty({ type: 'integer', description: 'How long a step is' }) readonly stepSeconds!: number;
  @ApiProperty({ type: [JobRateView], description: 'Oldest first, 96 at most; the last is the one that goes on now' })
  readonly items!: readonly JobRateView[];
}

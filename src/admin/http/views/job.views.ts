import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { JOB_STATES, type JobState } from '../../../platform/jobs/job-states';

const moment = { type: String, format: 'date-time' };

/** A job of the queue. */
export class JobView {
  @ApiProperty({ type: String, example: '42' }) readonly id!: string;
  @ApiProperty({ type: String, example: 'send-link-mail' }) readonly task!: string;
  @ApiProperty({ enum: JOB_STATES }) readonly state!: JobState;
  @ApiProperty({ ...COUNT, description: 'Attempts so far' }) readonly attempts!: number;
  @ApiProperty({ ...COUNT, description: 'Attempts after which the job is dead' }) readonly maxAttempts!: number;
  @NullableText({ description: 'Error of the last failed attempt' }) readonly error!: string | null;
  @NullableText({ description: 'Deduplication key: a new job with the same key replaces a waiting one' })
  readonly key!: string | null;
  @ApiProperty({ ...moment, description: 'Earliest time of the next attempt' }) readonly runAt!: Date;
  @ApiProperty(moment) readonly createdAt!: Date;
  @NullableTime('Start of the running attempt; null if the job is not running')
  readonly startedAt!: Date | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Parameters of the command; they never contain secrets',
  })
  readonly command!: object;
  @NullableText({ description: 'X-Request-Id of the request that enqueued the job' }) readonly requestId!:
    string | null;
}

/** The outcome of a change of several jobs. */
export class JobsChangedView {
  @ApiProperty({ type: [String], description: 'Ids of the changed jobs' }) readonly changed!: readonly string[];
  @ApiProperty({ type: [String], description: 'Ids of running jobs, which were not changed' })
  readonly running!: readonly string[];
  @ApiProperty({ type: [String], description: 'Ids that are not in the queue' })
  readonly missing!: readonly string[];
}

/** The number of jobs of a task by state. */
export class JobQueueView implements Record<JobState, number> {
  @ApiProperty({ type: String, example: 'send-link-mail' }) readonly task!: string;
  @ApiProperty({ ...COUNT, description: 'Due or scheduled, not attempted yet' }) readonly waiting!: number;
  @ApiProperty({ ...COUNT, description: 'Running' }) readonly running!: number;
  @ApiProperty({ ...COUNT, description: 'Failed, to be retried' }) readonly retrying!: number;
  @ApiProperty({ ...COUNT, description: 'Out of attempts' }) readonly dead!: number;
}

/** The attempts finished in an interval. */
export class JobRateView {
  @ApiProperty({ ...moment, description: 'Start of the interval' }) readonly at!: Date;
  @ApiProperty({ ...COUNT, description: 'Attempts that succeeded' }) readonly done!: number;
  @ApiProperty({ ...COUNT, description: 'Attempts that failed' }) readonly failed!: number;
}

/** The throughput of the queue over time. */
export class JobRatesView {
  @ApiProperty({ ...COUNT, description: 'Length of an interval in seconds' }) readonly stepSeconds!: number;
  @ApiProperty({ type: [JobRateView], description: 'Oldest first, at most 96; the last is the current interval' })
  readonly items!: readonly JobRateView[];
}

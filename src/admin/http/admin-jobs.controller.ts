import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AdminOnly, LiveSession } from '../../http/access/access.guard';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { OptionalChoiceParameter, OptionalTextField } from '../../http/validation/field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/pagination';
import { NumberParam } from '../../http/validation/number-param.decorator';
import { JOB_STATES, type JobState } from '../../platform/jobs/job-states';
import { PlatformFailures } from '../../platform/platform.failures';
import { AdminFailures } from '../admin.failures';
import { DeleteJob } from '../commands/delete-job';
import { DeleteJobs } from '../commands/delete-jobs';
import { RetryJob } from '../commands/retry-job';
import { RetryJobs } from '../commands/retry-jobs';
import { JobQueueView, JobRatesView, JobsChangedView, JobView } from './views/job.views';
import { GetJob } from '../queries/get-job';
import { GetJobRates } from '../queries/get-job-rates';
import { ListJobs } from '../queries/list-jobs';
import { ListQueues } from '../queries/list-queues';
import { ChangeJobsBody } from './change-jobs.body';

class JobSearch extends PageQuery {
  @OptionalChoiceParameter(JOB_STATES) state?: JobState;
  @OptionalTextField(1, 100, 'send-link-mail') task?: string;
}

class RatesQuery {
  @IsOptional()
  @Type(() => Number)
  @Max(168, { message: 'must be at most 168' })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number' }) // looked at first: decorators apply from below
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 168, default: 24 })
  hours: number = 24;
}

/** The job queue, for operators. */
@ApiTags('admin')
@Controller('admin/jobs')
export class AdminJobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @AdminOnly()
  @Responds({
    summary: 'What is in the job queue',
    description: 'Newest first. Done jobs are gone.',
    data: JobView,
    list: true,
  })
  listJobs(@Query() query: JobSearch) {
    return this.queries.execute(new ListJobs(query.state, query.task, query));
  }

  @Get('queues')
  @AdminOnly()
  @Responds({
    summary: 'How many jobs of each task there are',
    description: 'Of every task that has any; by name, all on one page.',
    data: JobQueueView,
    list: true,
  })
  listQueues() {
    return this.queries.execute(new ListQueues());
  }

  @Get('rates')
  @AdminOnly()
  @Responds({
    summary: 'How fast the queue is worked',
    description:
      'Attempts that were finished, by the steps of the last hours. The workers tell of theirs every 10 seconds.',
    data: JobRatesView,
  })
  getJobRates(@Query() { hours }: RatesQuery) {
    return this.queries.execute(new GetJobRates(hours));
  }

  // After the routes with a word in this place: the first one that fits is taken.
  @Get(':id')
  @AdminOnly()
  @Responds({
    summary: 'A job',
    description: 'NOT_FOUND also for one that is done.',
    data: JobView,
    failures: [PlatformFailures.notFound],
  })
  getJob(@NumberParam('id') id: string) {
    return this.queries.execute(new GetJob(id));
  }

  @Post('retry')
  @AdminOnly()
  @Responds({
    summary: 'Have several jobs tried again now',
    description: 'All that are there and not being worked, together; the answer tells of each what has become of it.',
    data: JobsChangedView,
  })
  retryJobs(@CurrentActor() actor: Actor, @Body() { ids }: ChangeJobsBody) {
    return this.commands.execute(new RetryJobs(actor, ids));
  }

  @Post('delete')
  @LiveSession()
  @AdminOnly()
  @Responds({
    summary: 'Take several jobs out of the queue',
    description:
      'All that are there and not being worked, together; the answer tells of each what has become of it. What they were for does not happen.',
    data: JobsChangedView,
  })
  deleteJobs(@CurrentActor() actor: Actor, @Body() { ids }: ChangeJobsBody) {
    return this.commands.execute(new DeleteJobs(actor, ids));
  }

  @Post(':id/retry')
  @AdminOnly()
  @Responds({
    summary: 'Have a job tried again now',
    description:
      'Within seconds, with all its attempts; also one that has run out of them. CONFLICT: it is being worked.',
    data: null,
    failures: [PlatformFailures.notFound, AdminFailures.jobIsRunning],
  })
  retryJob(@CurrentActor() actor: Actor, @NumberParam('id') id: string) {
    return this.commands.execute(new RetryJob(actor, id));
  }

  @Delete(':id')
  @LiveSession()
  @AdminOnly()
  @Responds({
    summary: 'Take a job out of the queue',
    description: 'What it was for does not happen. CONFLICT: it is being worked.',
    data: null,
    failures: [PlatformFailures.notFound, AdminFailures.jobIsRunning],
  })
  deleteJob(@CurrentActor() actor: Actor, @NumberParam('id') id: string) {
    return this.commands.execute(new DeleteJob(actor, id));
  }
}

import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AdminOnly, LiveSession } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { CountView } from '../../http/responses/count.views';
import { NumberParam } from '../../http/validation/number-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { AdminFailures } from '../admin.failures';
import { DeleteJob } from '../commands/delete-job';
import { DeleteJobs } from '../commands/delete-jobs';
import { RetryJob } from '../commands/retry-job';
import { RetryJobs } from '../commands/retry-jobs';
import { RetryTask } from '../commands/retry-task';
import { JobQueueView, JobRatesView, JobsChangedView, JobView } from './views/job.views';
import { GetJob } from '../queries/get-job';
import { GetJobRates } from '../queries/get-job-rates';
import { ListJobs } from '../queries/list-jobs';
import { ListQueues } from '../queries/list-queues';
import { ChangeJobsBody, RetryTaskBody } from './change-jobs.body';
import { JobSearch } from './list-searches.params';

class RatesQuery {
  @IsOptional()
  @Type(() => Number)
  @Max(168, { message: 'must be at most 168' })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be a whole number' }) // checked first: decorators apply bottom-up
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 168, default: 24 })
  hours: number = 24;
}

/** The job queue, for operators. */
@ApiTags('admin')
@Controller('admin/jobs')
@AdminOnly()
export class AdminJobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({
    summary: 'List jobs',
    description: 'Jobs of the queue, newest first. Jobs that succeeded are removed from it.',
    data: JobView,
    list: true,
  })
  listJobs(@Query() query: JobSearch) {
    return this.queries.execute(new ListJobs(query, query));
  }

  @Get('queues')
  @Responds({
    summary: 'Count jobs by task',
    description: 'Tasks that have any jobs, ordered by name, on one page.',
    data: JobQueueView,
    list: true,
  })
  listQueues() {
    return this.queries.execute(new ListQueues());
  }

  @Get('rates')
  @Responds({
    summary: 'Get job throughput',
    description:
      'Finished attempts of the last hours, in equal intervals. Workers report their counts every 10 seconds.',
    data: JobRatesView,
  })
  getJobRates(@Query() { hours }: RatesQuery) {
    return this.queries.execute(new GetJobRates(hours));
  }

  // declared after the routes with a fixed word in this place, because the first match wins
  @Get(':id')
  @Responds({
    summary: 'Get a job',
    description: 'NOT_FOUND also for a job that succeeded.',
    data: JobView,
    failures: [PlatformFailures.notFound],
  })
  getJob(@NumberParam('id') id: string) {
    return this.queries.execute(new GetJob(id));
  }

  @Post('retry')
  @Responds({
    summary: 'Retry jobs',
    description: 'Retries the jobs at once with all their attempts. Skips and lists running and missing jobs.',
    data: JobsChangedView,
  })
  retryJobs(@CurrentActor() actor: Actor, @Body() { ids }: ChangeJobsBody) {
    return this.commands.execute(new RetryJobs(actor, ids));
  }

  @Post('retry-all')
  @Responds({
    summary: 'Retry all failed jobs of a task',
    description:
      'Retries failed jobs of a task within a minute, with all their attempts, after an outage of the mail server ' +
      'or Stripe. Returns how many; a call retries at most 10,000.',
    data: CountView,
  })
  retryTask(@CurrentActor() actor: Actor, @Body() { task }: RetryTaskBody) {
    return this.commands.execute(new RetryTask(actor, task));
  }

  @Post('delete')
  @LiveSession()
  @Responds({
    summary: 'Delete jobs',
    description: 'Removes the jobs from the queue without running them. Skips and lists running and missing jobs.',
    data: JobsChangedView,
  })
  deleteJobs(@CurrentActor() actor: Actor, @Body() { ids }: ChangeJobsBody) {
    return this.commands.execute(new DeleteJobs(actor, ids));
  }

  @Post(':id/retry')
  @Responds({
    summary: 'Retry a job',
    description:
      'Retries the job at once with all its attempts, even after the last one. CONFLICT while it is running.',
    data: null,
    failures: [PlatformFailures.notFound, AdminFailures.jobIsRunning],
  })
  retryJob(@CurrentActor() actor: Actor, @NumberParam('id') id: string) {
    return this.commands.execute(new RetryJob(actor, id));
  }

  @Delete(':id')
  @LiveSession()
  @Responds({
    summary: 'Delete a job',
    description: 'Removes the job from the queue without running it. CONFLICT while it is running.',
    data: null,
    failures: [PlatformFailures.notFound, AdminFailures.jobIsRunning],
  })
  deleteJob(@CurrentActor() actor: Actor, @NumberParam('id') id: string) {
    return this.commands.execute(new DeleteJob(actor, id));
  }
}

import { Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../edge/access';
import { CurrentActor, type Actor } from '../../edge/actor';
import { OptionalChoiceParameter, OptionalTextField } from '../../edge/fields';
import { Answers } from '../../edge/openapi-answers';
import { PageQuery } from '../../edge/page';
import { NumberParam } from '../../edge/number-param';
import { JOB_STATES, type JobState } from '../../platform/job-states';
import { PlatformFailures } from '../../platform/platform.failures';
import { AdminFailures } from '../admin.failures';
import { JobView } from '../admin.views';
import { DeleteJob } from '../commands/delete-job';
import { RetryJob } from '../commands/retry-job';
import { ListJobs } from '../queries/list-jobs';

class JobSearch extends PageQuery {
  @OptionalChoiceParameter(JOB_STATES) state?: JobState;
  @OptionalTextField(1, 100, 'send-link-mail') task?: string;
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
  @Answers({ summary: 'What is in the job queue', description: 'Newest first. Done jobs are gone.', data: JobView, list: true })
  listJobs(@Query() query: JobSearch) {
    return this.queries.execute(new ListJobs(query.state, query.task, query));
  }

  @Post(':id/retry')
  @AdminOnly()
  @Answers({
    summary: 'Have a job tried again now',
    description: 'Within seconds, with all its attempts; also one that has run out of them. CONFLICT: it is being worked.',
    data: null,
    failures: [PlatformFailures.notFound, AdminFailures.jobIsRunning],
  })
  retryJob(@CurrentActor() actor: Actor, @NumberParam('id') id: string) {
    return this.commands.execute(new RetryJob(actor, id));
  }

  @Delete(':id')
  @AdminOnly()
  @Answers({
    summary: 'Take a job out of the queue',
    description: 'What it was for does not happen. CONFLICT: it is being worked.',
    data: null,
    failures: [PlatformFailures.notFound, AdminFailures.jobIsRunning],
  })
  deleteJob(@CurrentActor() actor: Actor, @NumberParam('id') id: string) {
    return this.commands.execute(new DeleteJob(actor, id));
  }
}

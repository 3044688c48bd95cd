import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs, type JobRequest } from '../../platform/jobs/jobs';
import { UnverifiedAccountTakenOver } from '../auth.events';
import { RenameDefaultWorkspace } from '../commands/rename-default-workspace';
import { SendPasswordRemovedMail } from '../mails/password-removed.mail';

/** Enqueues the email about a removed password, and the renaming of the workspace. */
@Injectable()
export class EnqueueJobsOnAccountTakenOver implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(UnverifiedAccountTakenOver, (events) => this.jobs.enqueueAll(events.flatMap(jobsFor)));
  }
}

function jobsFor({ userId, email, passwordRemoved, workspaceToRename }: UnverifiedAccountTakenOver): JobRequest[] {
  return [
    ...(workspaceToRename ? [{ command: new RenameDefaultWorkspace(userId, workspaceToRename) }] : []),
    ...(passwordRemoved ? [{ command: new SendPasswordRemovedMail(email) }] : []),
  ];
}

import { DomainEvent, type ActorRef, type Target } from '../platform/domain-events';

/** An operator viewed user accounts or the audit log. */
export class AdminViewed extends DomainEvent {
  static readonly action = 'admin.viewed';

  /** @param filters the filters of the request */
  constructor(by: ActorRef, target: Target, filters: Readonly<Record<string, unknown>>) {
    super(by, null, target, filters);
  }
}

/** An operator exported a list as a file. */
export class AdminExported extends DomainEvent {
  static readonly action = 'admin.exported';

  /** @param filters the filters of the list */
  constructor(by: ActorRef, target: Target, filters: Readonly<Record<string, unknown>>) {
    super(by, null, target, filters);
  }
}

/** What the audit log keeps of a job; its command is not part of it. */
interface ChangedJob {
  readonly id: string;
  readonly task: string;
}

/** An operator retried a job. */
export class JobRetried extends DomainEvent {
  static readonly action = 'job.retried';

  constructor(by: ActorRef, { id, task }: ChangedJob) {
    super(by, null, { type: 'job', id }, { task });
  }
}

/** An operator retried all failed jobs of a task. */
export class TaskRetried extends DomainEvent {
  static readonly action = 'job.task-retried';

  constructor(by: ActorRef, task: string, count: number) {
    super(by, null, { type: 'task', id: task }, { count });
  }
}

/** An operator removed a job from the queue before it succeeded. */
export class JobDeleted extends DomainEvent {
  static readonly action = 'job.deleted';

  constructor(by: ActorRef, { id, task }: ChangedJob) {
    super(by, null, { type: 'job', id }, { task });
  }
}

import { DomainEvent, type ActorRef } from '../platform/domain-events';
import type { AuditStream } from './domain/audit-stream';

/** The actor of a change that the service makes itself. */
const SYSTEM: ActorRef = { userId: null, impersonatorId: null };

abstract class StreamEvent extends DomainEvent {
  constructor(
    by: ActorRef,
    readonly stream: AuditStream,
    data: Readonly<Record<string, unknown>> = {},
  ) {
    super(by, stream.tenantId, { type: 'audit-stream', id: stream.id }, data);
  }
}

export class AuditStreamCreated extends StreamEvent {
  static readonly action = 'audit-stream.created';

  constructor(by: ActorRef, stream: AuditStream) {
    super(by, stream, factsOf(stream));
  }
}

export class AuditStreamChanged extends StreamEvent {
  static readonly action = 'audit-stream.changed';

  /** @param fields the names of those that were given */
  constructor(by: ActorRef, stream: AuditStream, fields: readonly string[]) {
    super(by, stream, { ...factsOf(stream), fields });
  }
}

export class AuditStreamDeleted extends StreamEvent {
  static readonly action = 'audit-stream.deleted';
}

/** A member has replaced the keys of a stream. */
export class AuditStreamSecretRotated extends StreamEvent {
  static readonly action = 'audit-stream.secret-rotated';
}

/** How an operator disabled a stream. */
interface ByOperator {
  readonly by: ActorRef;
  /** Why, in the operator's words. */
  readonly note?: string;
}

/** The service has disabled a stream that fails, or an operator has disabled one. */
export class AuditStreamDisabled extends StreamEvent {
  static readonly action = 'audit-stream.disabled';

  constructor(stream: AuditStream, operator?: ByOperator) {
    const note = operator?.note === undefined ? {} : { note: operator.note };
    super(operator?.by ?? SYSTEM, stream, { reason: stream.disabledWhy, ...note });
  }
}

/** The host only: paths and queries may hold secrets of the receiver. */
const factsOf = ({ host, hasAuthorization, isDisabled }: AuditStream) => ({
  host,
  hasAuthorization,
  enabled: !isDisabled,
});

import { DomainEvent, type ActorRef } from '../platform/domain-events';
import { disablingOf, type ByOperator } from '../webhooks/webhooks.api';
import type { AuditStream } from './domain/audit-stream';

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
  constructor(
    by: ActorRef,
    stream: AuditStream,
    private readonly fields: readonly string[],
  ) {
    super(by, stream, { ...factsOf(stream), fields });
  }

  /** Whether an address was given. */
  get isMoved(): boolean {
    return this.fields.includes('url');
  }
}

export class AuditStreamDeleted extends StreamEvent {
  static readonly action = 'audit-stream.deleted';
}

/** A member has replaced the keys of a stream. */
export class AuditStreamSecretRotated extends StreamEvent {
  static readonly action = 'audit-stream.secret-rotated';
}

/** The service has disabled a stream that fails, or an operator has disabled one. */
export class AuditStreamDisabled extends StreamEvent {
  static readonly action = 'audit-stream.disabled';

  constructor(stream: AuditStream, operator?: ByOperator) {
    const { by, data } = disablingOf(stream, operator);
    super(by, stream, data);
  }
}

/** The host only: paths and queries may hold secrets of the receiver. */
const factsOf = ({ host, hasAuthorization, isDisabled }: AuditStream) => ({
  host,
  hasAuthorization,
  enabled: !isDisabled,
});

import { DomainEvent, type ActorRef } from '../platform/domain-events';
import { disablingOf, type ByOperator } from './domain/disabled-receiver';
import type { WebhookEndpoint } from './domain/webhook-endpoint';

abstract class EndpointEvent extends DomainEvent {
  constructor(
    by: ActorRef,
    readonly endpoint: WebhookEndpoint,
    data: Readonly<Record<string, unknown>> = {},
  ) {
    super(by, endpoint.tenantId, { type: 'webhook-endpoint', id: endpoint.id }, data);
  }
}

export class WebhookEndpointCreated extends EndpointEvent {
  static readonly action = 'webhook-endpoint.created';

  constructor(by: ActorRef, endpoint: WebhookEndpoint) {
    super(by, endpoint, factsOf(endpoint));
  }
}

export class WebhookEndpointChanged extends EndpointEvent {
  static readonly action = 'webhook-endpoint.changed';

  /** @param isMoved whether its address is another one */
  constructor(
    by: ActorRef,
    endpoint: WebhookEndpoint,
    readonly isMoved = false,
  ) {
    super(by, endpoint, factsOf(endpoint));
  }
}

export class WebhookEndpointDeleted extends EndpointEvent {
  static readonly action = 'webhook-endpoint.deleted';
}

/** A member has replaced the keys of an endpoint. */
export class WebhookSecretRotated extends EndpointEvent {
  static readonly action = 'webhook-endpoint.secret-rotated';
}

/** A member has replayed the events of a period. */
export class WebhookReplayRequested extends EndpointEvent {
  static readonly action = 'webhook-endpoint.replay-requested';

  constructor(
    by: ActorRef,
    endpoint: WebhookEndpoint,
    readonly span: { readonly from: string; readonly to: string; readonly onlyFailed: boolean },
  ) {
    super(by, endpoint, span);
  }
}

/** The service has disabled an endpoint that fails, or an operator has disabled one. */
export class WebhookEndpointDisabled extends EndpointEvent {
  static readonly action = 'webhook-endpoint.disabled';

  constructor(endpoint: WebhookEndpoint, operator?: ByOperator) {
    const { by, data } = disablingOf(endpoint, operator);
    super(by, endpoint, data);
  }
}

/** The host only: paths and queries may hold secrets of the receiver. */
const factsOf = ({ host, types, perSecond, disabledAt }: WebhookEndpoint) => ({
  host,
  types,
  perSecond,
  enabled: disabledAt === null,
});

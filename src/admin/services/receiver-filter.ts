import { IsNull, Not, Raw, type FindOptionsWhere } from 'typeorm';
import { withoutUndefined } from '../../platform/database/entity-reader';
import type { SignedReceiver } from '../../webhooks/webhooks.api';

/** Failing: it gets messages, and the last ones failed. Unhealthy: failing or disabled. */
export const RECEIVER_STATES = ['unhealthy', 'failing', 'disabled'] as const;
export type ReceiverState = (typeof RECEIVER_STATES)[number];

/** Filters of webhook endpoints and audit streams, combined with AND. */
export interface ReceiverFilter {
  readonly state?: ReceiverState;
  /** The id of the tenant. */
  readonly tenant?: string;
}

type Condition = FindOptionsWhere<Pick<SignedReceiver, 'tenantId' | 'failingSince' | 'disabledAt'>>;

/** The index of unhealthy receivers of a table serves each of them. */
const CONDITIONS: Readonly<Record<ReceiverState, Condition>> = {
  unhealthy: { failingSince: Raw((column) => `(${column} IS NOT NULL OR disabled_at IS NOT NULL)`) },
  failing: { failingSince: Not(IsNull()), disabledAt: IsNull() },
  disabled: { disabledAt: Not(IsNull()) },
};

export const receiverCondition = ({ state, tenant }: ReceiverFilter): Condition => ({
  ...(state && CONDITIONS[state]),
  ...withoutUndefined({ tenantId: tenant }),
});

/** The host only: paths and queries may hold secrets of the receiver. */
export const hostOnly = <R extends { readonly url: string }>({ url, ...shown }: R) => ({
  ...shown,
  host: new URL(url).host,
});

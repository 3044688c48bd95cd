import { NO_ACTOR, type ActorRef } from '../../platform/domain-events';
import type { SignedReceiver } from './signed-receiver';

/** How an operator disabled a receiver. */
export interface ByOperator {
  readonly by: ActorRef;
  /** The reason that the operator gave. */
  readonly note?: string;
}

/**
 * Who disabled a receiver and why, for its event. @param operator absent: the service disabled it
 */
export const disablingOf = ({ disabledWhy }: SignedReceiver, { by, note }: ByOperator = { by: NO_ACTOR }) => ({
  by,
  data: { reason: disabledWhy, ...(note !== undefined && { note }) },
});

import { PlatformFailures } from '../../platform/platform.failures';
import type { Failure } from '../../platform/result';
import type { PolicyObstacle } from './sign-in-policy';

/** What a policy answers to a session that it keeps out. */
export const OBSTACLE_FAILURES = {
  'second-factor': PlatformFailures.secondFactorRequired,
  method: PlatformFailures.methodNotAllowed,
  'session-age': PlatformFailures.sessionTooOld,
} satisfies Record<PolicyObstacle, Failure>;

export type PolicyFailure = (typeof OBSTACLE_FAILURES)[PolicyObstacle]['code'];

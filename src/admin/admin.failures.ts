import { failure } from '../platform/result';

/** What the admin module can refuse. */
export const AdminFailures = {
  jobIsRunning: failure('CONFLICT', 'conflict', 'This job is being worked right now.'),
};

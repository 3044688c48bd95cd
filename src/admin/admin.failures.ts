import { failure } from '../platform/result';

/** The expected failures of the admin module. */
export const AdminFailures = {
  jobIsRunning: failure('CONFLICT', 'conflict', 'This job is running.'),
};

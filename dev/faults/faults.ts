import type { Fault } from './fault';
import { LINE_FAULTS } from './line-faults';
import { MAIL_FAULTS } from './mail-faults';
import { POSTGRES_FAULTS } from './postgres-faults';
import { PROCESS_FAULTS } from './process-faults';
import { PROCESSOR_FAULTS } from './processor-faults';
import { SHORTAGE_FAULTS } from './shortage-faults';

/** Everything that is tried, in this order. */
export const FAULTS: readonly Fault[] = [
  ...POSTGRES_FAULTS,
  ...LINE_FAULTS,
  ...SHORTAGE_FAULTS,
  ...MAIL_FAULTS,
  ...PROCESSOR_FAULTS,
  ...PROCESS_FAULTS,
];

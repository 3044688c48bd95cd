import type { Fault } from './fault';
import { NETWORK_FAULTS } from './network-faults';
import { MAIL_FAULTS } from './mail-faults';
import { POSTGRES_FAULTS } from './postgres-faults';
import { PROCESS_FAULTS } from './process-faults';
import { STRIPE_FAULTS } from './stripe-faults';
import { RESOURCE_FAULTS } from './resource-faults';

/** All faults, in the order in which they run. */
export const FAULTS: readonly Fault[] = [
  ...POSTGRES_FAULTS,
  ...NETWORK_FAULTS,
  ...RESOURCE_FAULTS,
  ...MAIL_FAULTS,
  ...STRIPE_FAULTS,
  ...PROCESS_FAULTS,
];

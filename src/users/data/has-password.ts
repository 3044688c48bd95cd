import { computed } from '../../platform/database/entity-reader';

/** Whether an account has a password, for a view. Its hash is not read. */
export const HAS_PASSWORD = { hasPassword: computed<boolean>('r.passwordHash IS NOT NULL') };

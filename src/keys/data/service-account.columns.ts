import type { ServiceAccount } from '../domain/service-account';

/** The columns of a service account that responses show. */
export const SERVICE_ACCOUNT_COLUMNS = ['id', 'name', 'createdBy', 'createdAt', 'disabledAt'] as const;

/** The part of a service account that responses show. */
export type ServiceAccountDetails = Pick<ServiceAccount, (typeof SERVICE_ACCOUNT_COLUMNS)[number]>;

/** Copies what responses show of a service account. */
export const serviceAccountDetails = ({
  id,
  name,
  createdBy,
  createdAt,
  disabledAt,
}: ServiceAccount): ServiceAccountDetails => ({ id, name, createdBy, createdAt, disabledAt });

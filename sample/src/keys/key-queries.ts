import { unwrap, type Schemas } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../session';

export type ApiKey = Schemas['ApiKeyView'];
export type ServiceAccount = Schemas['ServiceAccountView'];

/** The service accounts of the workspace; there are never more than a page. */
export const useServiceAccounts = () =>
  useQuery({
    queryKey: ['service-accounts'],
    queryFn: async () =>
      unwrap(await api.GET('/tenants/current/service-accounts', { params: { query: { limit: 100 } } })).items,
  });

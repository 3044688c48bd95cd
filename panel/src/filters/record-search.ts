import { unwrap } from '@tenantry/client';
import { api } from '../api';

export type Searchable = 'users' | 'tenants';

export interface FoundRecord {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly resource: Searchable;
}

/** How many of each are offered. */
const LIMIT = 8;

/** The newest users and tenants that match a text: by name, email or ID. */
export async function searchRecords(resources: readonly Searchable[], search: string): Promise<FoundRecord[]> {
  const found = await Promise.all(resources.map((resource) => SEARCHES[resource](search || undefined)));
  return found.flat();
}

const SEARCHES: Record<Searchable, (search?: string) => Promise<FoundRecord[]>> = {
  users: async (search) => {
    const { items } = unwrap(await api.GET('/admin/users', { params: { query: { search, limit: LIMIT } } }));
    return items.map(({ id, name, email }) => ({ id, name, email, resource: 'users' }));
  },
  tenants: async (search) => {
    const { items } = unwrap(await api.GET('/admin/tenants', { params: { query: { search, limit: LIMIT } } }));
    return items.map(({ id, name, owner }) => ({ id, name, email: owner.email, resource: 'tenants' }));
  },
};

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { unwrap, type Schemas } from '@tenantry/client';
import { api } from '../api';
import { recordAt } from '../components/links';
import { PAGES } from '../layout/navigation';
import { useDebounced } from '../filters/use-debounced';

/** Something that can be opened: a page, or a record that was found. */
export interface SearchOption {
  readonly to: string;
  readonly title: string;
  readonly detail: string | null;
  readonly kind: string;
}

const KINDS: Record<Schemas['MatchView']['kind'], readonly [resource: string, label: string]> = {
  user: ['users', 'User'],
  tenant: ['tenants', 'Tenant'],
  'webhook-event': ['webhook-events', 'Stripe event'],
  job: ['jobs', 'Job'],
};

/** The fewest characters that are searched. */
const FEWEST = 2;

/** The pages whose name contains a text, then the records that it finds. */
export function useSearchOptions(text: string) {
  const asked = useDebounced(text.trim());
  const isAsked = asked.length >= FEWEST;
  const { data, error, isFetching } = useQuery({
    queryKey: ['search', asked],
    enabled: isAsked,
    placeholderData: keepPreviousData,
    queryFn: async () => unwrap(await api.GET('/admin/search', { params: { query: { q: asked } } })).items,
  });
  const pages = PAGES.filter(([, name]) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const options: SearchOption[] = [
    ...pages.map(([to, title]) => ({ to, title, detail: null, kind: 'Page' })),
    ...((isAsked && data) || []).map(({ kind, id, title, detail }) => {
      const [resource, label] = KINDS[kind];
      return { to: recordAt(resource, id), title, detail, kind: label };
    }),
  ];
  return { options, error: isAsked ? error : null, isBusy: isFetching || asked !== text.trim() };
}

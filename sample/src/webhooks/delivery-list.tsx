import { Link, MenuItem, TextField } from '@mui/material';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { exactTime } from '../date-format';
import { Section } from '../layout/page';
import { ListRow } from '../list/list-row';
import { PagedList } from '../list/paged-list';
import { SHARED_LIST_REFRESH_MS, usePagedQuery } from '../queries';
import { api } from '../session';
import { useWorkspacePath } from '../workspace-path';
import { attemptsText, DeliveryStateChip } from './delivery-state';
import { ReplayButton } from './replay-button';
import { ReplaySpanButton } from './replay-span-button';
import { type Delivery, DELIVERY_REFRESH_MS, type Webhook } from './webhook-queries';

const FILTERS = [
  { value: 'all', name: 'All' },
  { value: 'due', name: 'Waiting or retrying' },
  { value: 'delivered', name: 'Delivered' },
  { value: 'failed', name: 'Failed' },
] as const;

const refreshMs = (deliveries: readonly Delivery[]) =>
  deliveries.some(({ state }) => state === 'due') ? DELIVERY_REFRESH_MS : SHARED_LIST_REFRESH_MS;

/** What was sent to an endpoint in the last 30 days, newest first. The address has the filter. */
export function DeliveryList({ webhook }: { webhook: Webhook }) {
  const [search, setSearch] = useSearchParams();
  const chosen = FILTERS.find(({ value }) => value === search.get('state'))?.value ?? 'all';
  const state = chosen === 'all' ? undefined : chosen;
  const params = { path: { id: webhook.id } };
  const pages = usePagedQuery(
    `deliveries ${webhook.id} ${chosen}`,
    (page) =>
      api.GET('/tenants/current/webhooks/{id}/deliveries', { params: { ...params, query: { ...page, state } } }),
    refreshMs,
  );
  const filter = (
    <TextField
      select
      size="small"
      label="State"
      value={chosen}
      onChange={({ target }) => setSearch(target.value === 'all' ? {} : { state: target.value }, { replace: true })}
      sx={{ minWidth: 180, mt: 0.5, mb: 1.5 }}
    >
      {FILTERS.map(({ value, name }) => (
        <MenuItem key={value} value={value}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
  return (
    <Section
      title="Deliveries"
      text="The last 30 days. What fails is sent up to nine more times within about three days."
      action={<ReplaySpanButton webhook={webhook} />}
    >
      {filter}
      <PagedList pages={pages} empty={state ? 'No such deliveries.' : 'Nothing yet. Send a test event to try it.'}>
        {(delivery) => <DeliveryRow {...{ delivery, webhook }} />}
      </PagedList>
    </Section>
  );
}

function DeliveryRow({ delivery, webhook }: { delivery: Delivery; webhook: Webhook }) {
  const path = useWorkspacePath();
  const { id, type, state, createdAt } = delivery;
  const title = (
    <>
      <Link component={RouterLink} to={path(`/webhooks/${webhook.id}/deliveries/${id}`)}>
        {type}
      </Link>
      <DeliveryStateChip delivery={delivery} />
    </>
  );
  return (
    <ListRow title={title} text={`${exactTime(createdAt)} · ${attemptsText(delivery)}`}>
      {state === 'failed' && <ReplayButton {...{ delivery, webhook }} />}
    </ListRow>
  );
}

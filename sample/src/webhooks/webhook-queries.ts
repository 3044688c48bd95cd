import { unwrap, type Schemas } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { SHARED_LIST_REFRESH_MS } from '../queries';
import { api } from '../session';

export type Webhook = Schemas['WebhookEndpointView'];
export type Delivery = Schemas['WebhookDeliveryView'];

/** How often what waits to be sent is looked at again. */
export const DELIVERY_REFRESH_MS = 3000;

/** An endpoint of the workspace. */
export const useWebhook = (id = '') =>
  useQuery({
    queryKey: ['webhook', id],
    queryFn: async () => unwrap(await api.GET('/tenants/current/webhooks/{id}', { params: { path: { id } } })),
    refetchInterval: SHARED_LIST_REFRESH_MS,
  });

/** The types of events that can be chosen, by name. */
export const useEventTypes = () =>
  useQuery({
    queryKey: ['webhook-event-types'],
    queryFn: async () =>
      unwrap(await api.GET('/webhook-event-types')).types.toSorted((a, b) => a.type.localeCompare(b.type)),
  });

/** A delivery with its body and attempts; while it waits, it is read again and again. */
export const useDelivery = (id = '', deliveryId = '') =>
  useQuery({
    queryKey: ['webhook-delivery', id, deliveryId],
    queryFn: async () => {
      const params = { path: { id, deliveryId } };
      return unwrap(await api.GET('/tenants/current/webhooks/{id}/deliveries/{deliveryId}', { params }));
    },
    refetchInterval: ({ state }) => state.data?.state === 'due' && DELIVERY_REFRESH_MS,
  });

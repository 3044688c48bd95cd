import { Button, type ButtonProps } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { exactTime } from '../date-format';
import { DisabledReason } from '../form/disabled-reason';
import { useToast } from '../layout/toasts';
import { api } from '../session';
import type { Delivery, Webhook } from './webhook-queries';

interface ReplayButtonProps extends Pick<ButtonProps, 'variant'> {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
}

/** Sends one delivery again. */
export function ReplayButton({ webhook, delivery, variant }: ReplayButtonProps) {
  const showToast = useToast();
  const params = { path: { id: webhook.id, deliveryId: delivery.id } };
  const sending = useMutation({
    mutationFn: async () =>
      unwrap(await api.POST('/tenants/current/webhooks/{id}/deliveries/{deliveryId}/replay', { params })),
    onSuccess: () => showToast('It is being sent again.'),
  });
  const reason = reasonAgainst(webhook, delivery);
  return (
    <DisabledReason reason={reason}>
      <Button
        size={variant ? 'medium' : 'small'}
        variant={variant}
        color={variant ? 'primary' : 'inherit'}
        aria-label={`Send again ${delivery.type} of ${exactTime(delivery.createdAt)}`}
        disabled={reason !== undefined}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        Send again
      </Button>
    </DisabledReason>
  );
}

function reasonAgainst({ disabledAt }: Webhook, { state }: Delivery): string | undefined {
  if (disabledAt) return 'Enable the webhook first.';
  return state === 'due' ? 'It is waiting to be sent.' : undefined;
}

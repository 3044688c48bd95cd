import { Box, Button } from '@mui/material';
import { Link, useNavigate } from 'react-router';
import { longDate } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { FactList } from '../layout/fact-list';
import { Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { api, useImpersonationBlock } from '../session';
import { useWorkspacePath } from '../workspace-path';
import type { Webhook } from './webhook-queries';
import { WebhookStateChip } from './webhook-state';
import { WebhookSwitch } from './webhook-switch';

/** What members chose for an endpoint, and the buttons that change it. */
export function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const blocked = useImpersonationBlock();
  const path = useWorkspacePath();
  const navigate = useNavigate();
  const showToast = useToast();
  const { id, url, description, types, createdAt } = webhook;
  const leave = () => {
    showToast('Webhook deleted.');
    void navigate(path('/webhooks'));
  };
  const remove = (
    <DialogButton
      button="Delete"
      disabledReason={blocked}
      title="Delete this webhook?"
      text="It gets no more events, and the log of its deliveries is deleted. This can’t be undone."
      submit="Delete"
      isDanger
      send={() => api.DELETE('/tenants/current/webhooks/{id}', { params: { path: { id } } })}
      onDone={leave}
    />
  );
  const actions = (
    <Box sx={{ display: 'flex', gap: 0.5, flexWrap: 'wrap' }}>
      {!blocked && (
        <Button size="small" color="inherit" component={Link} to={path(`/webhooks/${id}/edit`)}>
          Edit
        </Button>
      )}
      <WebhookSwitch webhook={webhook} />
      {remove}
    </Box>
  );
  const facts = [
    { name: 'State', value: <WebhookStateChip webhook={webhook} /> },
    { name: 'URL', value: url },
    { name: 'Description', value: description },
    { name: 'Events', value: types?.join(', ') ?? 'All events' },
    { name: 'Created', value: longDate(createdAt) },
  ];
  return (
    <Section title="Endpoint" action={actions}>
      <FactList facts={facts} />
    </Section>
  );
}

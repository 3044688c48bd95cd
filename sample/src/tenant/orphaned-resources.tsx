import { useQuery } from '@tanstack/react-query';
import { type Answer, type Schemas, unwrap } from '@tenantry/client';
import { longDate } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { ListRow } from '../list/list-row';
import { SHARED_LIST_REFRESH_MS } from '../queries';
import { api, useImpersonationBlock } from '../session';

type Orphan = Schemas['OrphanedResourceView'];

/** What members who left had made and still works; nothing if there is none. */
export function OrphanedResources() {
  const { data = [] } = useQuery({
    queryKey: ['orphaned-resources'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/orphaned-resources')).items,
    refetchInterval: SHARED_LIST_REFRESH_MS,
  });
  if (data.length === 0) return null;
  return (
    <Section
      title="Left by former members"
      text="Made by members who left or lost permissions, and still working. Take it over or disable it."
    >
      {data.map((orphan) => (
        <OrphanRow key={orphan.id} orphan={orphan} />
      ))}
    </Section>
  );
}

function OrphanRow({ orphan }: { orphan: Orphan }) {
  const { id, name, leftByName, leftAt, disabledAt } = orphan;
  const showToast = useToast();
  const disabledReason = useImpersonationBlock();
  const who = leftByName ?? 'A deleted account';
  return (
    <ListRow title={name} text={`${who}, ${longDate(leftAt)} · is disabled on ${longDate(disabledAt)}`}>
      <DialogButton
        button="Take over"
        about={name}
        disabledReason={disabledReason}
        title="Take it over?"
        text={`${name} keeps working, and you become the one who has made it.`}
        submit="Take over"
        send={() => api.POST('/tenants/current/orphaned-resources/{id}/take-over', { params: { path: { id } } })}
        onDone={() => showToast(`${name} was taken over.`)}
      />
      <DialogButton
        button="Disable"
        about={name}
        disabledReason={disabledReason}
        title="Disable it?"
        text={`${name} stops working. You can enable it again on its page.`}
        submit="Disable"
        isDanger
        send={() => disable(orphan)}
        onDone={() => showToast(`${name} was disabled.`)}
      />
    </ListRow>
  );
}

/** Disables the service account, endpoint or stream itself. */
function disable({ kind, resourceId }: Orphan): Promise<Answer<unknown>> {
  const params = { path: { id: resourceId } };
  if (kind === 'service-account')
    return api.PATCH('/tenants/current/service-accounts/{id}', { params, body: { disabled: true } });
  if (kind === 'webhook-endpoint')
    return api.PATCH('/tenants/current/webhooks/{id}', { params, body: { enabled: false } });
  return api.PATCH('/tenants/current/audit-streams/{id}', { params, body: { enabled: false } });
}

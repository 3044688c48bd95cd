import { Button } from '@mui/material';
import { type Schemas, unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { DialogButton } from '../form/form-dialog';
import { Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { PagedList } from '../list/paged-list';
import { ListRow } from '../list/list-row';
import { SHARED_LIST_REFRESH_MS, usePagedQuery } from '../queries';
import { api, useImpersonationBlock } from '../session';
import { dateTime, isPast, longDate } from '../date-format';

/** The invitations that are not accepted yet. */
export function PendingInvitations() {
  const pages = usePagedQuery(
    'invitations',
    (query) => api.GET('/tenants/current/invitations', { params: { query } }),
    SHARED_LIST_REFRESH_MS,
  );
  return (
    <Section title="Pending invitations">
      <PagedList pages={pages} empty="No pending invitations.">
        {(invitation) => <InvitationRow invitation={invitation} />}
      </PagedList>
    </Section>
  );
}

function InvitationRow({ invitation: { id, email, role, expiresAt } }: { invitation: Schemas['InvitationView'] }) {
  const showToast = useToast();
  const blocked = useImpersonationBlock();
  const params = { path: { id } };
  const resending = useMutation({
    mutationFn: async () => unwrap(await api.POST('/tenants/current/invitations/{id}/resend', { params })),
    onSuccess: ({ mailDelayedUntil }) =>
      showToast(
        mailDelayedUntil
          ? `The link will be sent to ${email} again, but not before ${dateTime(mailDelayedUntil)}.`
          : `Link sent to ${email} again. The previous email works, too.`,
      ),
  });
  const revoke = async () => {
    const answer = await api.DELETE('/tenants/current/invitations/{id}', { params });
    if (answer.ok || answer.error.code !== 'NOT_FOUND') return answer;
    showToast(`The invitation to ${email} is no longer pending. It was accepted or revoked.`);
    return { ...answer, ok: true as const, data: null };
  };
  const expiry = `${isPast(expiresAt) ? 'expired' : 'expires'} on ${longDate(expiresAt)}`;
  return (
    <ListRow title={email} text={`${role} · ${expiry}`}>
      <Button
        size="small"
        color="inherit"
        aria-label={`Resend to ${email}`}
        disabled={Boolean(blocked)}
        loading={resending.isPending}
        onClick={() => resending.mutate()}
      >
        Resend
      </Button>
      <DialogButton
        button="Revoke"
        about={`invitation of ${email}`}
        title="Revoke invitation?"
        text={`The link that was sent to ${email} stops working.`}
        submit="Revoke"
        isDanger
        disabledReason={blocked}
        send={revoke}
      />
    </ListRow>
  );
}

import { Button } from '@mui/material';
import { type Schemas, unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { Ask } from '../form/ask';
import { Section } from '../frame/page';
import { useSay } from '../frame/snack';
import { Listing } from '../list/listing';
import { Row } from '../list/row';
import { OTHERS_MS, usePages } from '../queries';
import { api, useActing } from '../session';
import { day, isPast } from '../times';

/** The invitations that nobody has accepted yet. */
export function Invitations() {
  const pages = usePages(
    'invitations',
    (query) => api.GET('/tenants/current/invitations', { params: { query } }),
    OTHERS_MS,
  );
  return (
    <Section title="Open invitations">
      <Listing pages={pages} empty="No invitation is open.">
        {(invitation) => <InvitationRow invitation={invitation} />}
      </Listing>
    </Section>
  );
}

function InvitationRow({ invitation: { id, email, role, expiresAt } }: { invitation: Schemas['InvitationView'] }) {
  const say = useSay();
  const acting = useActing();
  const params = { path: { id } };
  const resending = useMutation({
    mutationFn: async () => unwrap(await api.POST('/tenants/current/invitations/{id}/resend', { params })),
    onSuccess: () => say(`A new link is on its way to ${email}. The old one no longer works.`),
  });
  const revoke = async () => {
    const answer = await api.DELETE('/tenants/current/invitations/{id}', { params });
    if (answer.ok || answer.error.code !== 'NOT_FOUND') return answer;
    say(`The invitation to ${email} is not open any more: it was accepted, or taken back.`);
    return { ...answer, ok: true as const, data: null };
  };
  const isOver = isPast(expiresAt);
  return (
    <Row title={email} text={`${role} · ${isOver ? 'expired' : 'open until'} ${isOver ? 'on ' : ''}${day(expiresAt)}`}>
      <Button
        size="small"
        color="inherit"
        aria-label={`Resend to ${email}`}
        disabled={Boolean(acting)}
        loading={resending.isPending}
        onClick={() => resending.mutate()}
      >
        Resend
      </Button>
      <Ask
        button="Revoke"
        about={`invitation of ${email}`}
        title="Take the invitation back?"
        text={`The link in the mail to ${email} stops working.`}
        submit="Revoke"
        isDanger
        whyNot={acting}
        send={revoke}
      />
    </Row>
  );
}

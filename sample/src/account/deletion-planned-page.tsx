import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { longDate } from '../date-format';
import { api } from '../session';
import { AuthLayout } from '../sign-in/auth-layout';
import { ButtonLink } from '../sign-in/button-link';

/** After asking for the deletion of the account: signed out, until when it can be kept. */
export default function DeletionPlannedPage() {
  const state = useLocation().state as { deletesAt: string } | null;
  return state ? <DeletionPlanned {...state} /> : <Navigate to="/" replace />;
}

function DeletionPlanned({ deletesAt }: { deletesAt: string }) {
  useEffect(() => {
    // Notices that the service has ended the session. One that began later, before the user came
    // back to this page, continues.
    void api.session.renew();
  }, []);
  return (
    <AuthLayout
      title="Your account will be deleted"
      text={
        `Your account and your personal data will be deleted on ${longDate(deletesAt)}. ` +
        'Changed your mind? Sign in before and choose “Keep account”. We sent you an email about it.'
      }
    >
      <ButtonLink to="/login">Back to sign in</ButtonLink>
    </AuthLayout>
  );
}

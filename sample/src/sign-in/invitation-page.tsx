import { type Answer, type Schemas, unwrap } from '@tenantry/client';
import { Divider, Link, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router';
import { NameField, NewPasswordField, PasswordField } from '../form/field';
import { Form } from '../form/form';
import { messageForCode } from '../messages';
import { QueryResult } from '../list/query-result';
import { api, useClaims } from '../session';
import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';
import { AuthLink } from './auth-link';
import { confirmedInvitation, INVITATION, invitationToken } from './invitation-token';
import { ReopenLink } from './reopen-link';
import { ProviderButtons } from './provider-buttons';
import { useSecondFactorStep } from './sign-in-ticket';

const LINK_TITLES: Readonly<Record<string, string>> = {
  INVITATION_INVALID: 'This invitation is no longer valid',
  INVITATION_EXPIRED: 'This invitation has expired',
};

/**
 * The page of the link in an invitation email: who invites whom to what, and the shortest way to
 * join.
 */
export default function InvitationPage({ token: tokenOfLink }: { token: string | undefined }) {
  const [token] = useState(() => {
    if (tokenOfLink) invitationToken.write(tokenOfLink);
    return tokenOfLink ?? invitationToken.read();
  });
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () =>
      unwrap(await forgetIfOver(api.GET('/invitations/preview', { params: { query: { token: token! } } }))),
    enabled: token !== undefined,
    staleTime: Infinity,
    meta: { isOnce: true }, // accepting it makes it invalid; what is shown until then is still true
  });
  if (!token) return <ReopenLink />;
  const linkError = preview.error?.failure.code;
  if (linkError && linkError in LINK_TITLES) {
    return (
      <AuthLayout title={LINK_TITLES[linkError]} text={messageForCode(linkError)}>
        <ButtonLink to="/">Continue to Tenantry</ButtonLink>
      </AuthLayout>
    );
  }
  const { tenantName, inviterName, role, email } = preview.data ?? {};
  return (
    <AuthLayout
      title={tenantName ? `Join ${tenantName}` : 'Your invitation'}
      text={
        tenantName &&
        `${inviterName} invited you to join ${tenantName} as ${role}. The invitation was sent to ${email}.`
      }
    >
      <Stack spacing={2}>
        <QueryResult from={preview}>
          {(invitation) => <AcceptInvitation token={token} invitation={invitation} />}
        </QueryResult>
        {preview.error && <AuthLink to="/">Continue to Tenantry</AuthLink>}
      </Stack>
    </AuthLayout>
  );
}

/** Removes the token from the tab if the invitation cannot be accepted any more. */
async function forgetIfOver<Data, Code extends string>(sent: Promise<Answer<Data, Code>>): Promise<Answer<Data, Code>> {
  const answer = await sent;
  if (!answer.ok && answer.error.code in LINK_TITLES) invitationToken.remove();
  return answer;
}

/** Joins, and makes the workspace the active one. */
async function join(token: string) {
  confirmedInvitation.remove(); // after a failure, the user decides whether to try again
  const joined = await forgetIfOver(api.POST('/invitations/accept', { body: { token } }));
  return joined.ok ? api.POST('/auth/switch-tenant', { body: { tenantId: joined.data.tenant.id } }) : joined;
}

interface AcceptInvitationProps {
  readonly token: string;
  readonly invitation: Schemas['InvitationPreview'];
}

/** Where a sign-in leads: with a second factor to its page, which leads back to the invitation. */
type SignedInOrNot = Schemas['SignIn'] | Schemas['AccessTokenView'];

function AcceptInvitation({ token, invitation: { email, accountExists } }: AcceptInvitationProps) {
  const claims = useClaims();
  const navigate = useNavigate();
  const openSecondStep = useSecondFactorStep();
  const onDone = (signIn: SignedInOrNot) => {
    if ('secondFactor' in signIn) return openSecondStep(signIn, INVITATION);
    invitationToken.remove();
    void navigate('/');
  };
  if (claims && claims.email !== email) {
    return (
      <>
        <div>
          You’re signed in as {claims.email}. Sign out to continue as {email}.
        </div>
        <Form submit="Sign out and continue" send={() => api.logOut()} />
      </>
    );
  }
  if (claims) {
    const isConfirmed = confirmedInvitation.read() === token;
    return <Form submit="Accept invitation" isSentAtOnce={isConfirmed} send={() => join(token)} onDone={onDone} />;
  }
  if (accountExists) return <SignInAndJoin {...{ token, email, onDone }} />;
  const register = ({ name = '', password = '' }) =>
    forgetIfOver(api.POST('/invitations/register', { body: { token, name, password } }));
  return (
    <>
      <Form submit="Create account and join" send={register} onDone={onDone}>
        <NameField autoFocus />
        <NewPasswordField />
      </Form>
      <Divider>or</Divider>
      <ProviderButtons returnTo={INVITATION} />
    </>
  );
}

interface SignInAndJoinProps {
  readonly token: string;
  readonly email: string;
  readonly onDone: (signIn: SignedInOrNot) => void;
}

function SignInAndJoin({ token, email, onDone }: SignInAndJoinProps) {
  const signIn = async (password: string) => {
    const answer = await api.POST('/auth/login', { body: { email, password } });
    if (!answer.ok) return answer;
    if (!('secondFactor' in answer.data)) return join(token);
    confirmedInvitation.write(token);
    return answer;
  };
  return (
    <>
      <Form
        submit="Sign in and join"
        send={({ password = '' }) => signIn(password)}
        onDone={onDone}
        fieldErrors={{ INVALID_CREDENTIALS: { field: 'password', message: 'Incorrect password.' } }}
      >
        <input type="hidden" name="email" autoComplete="username" defaultValue={email} />
        <PasswordField label="Your password" />
      </Form>
      <div>
        No password?{' '}
        <Link component={RouterLink} to={`/login?to=${INVITATION}`} state={{ email }}>
          Other ways to sign in
        </Link>
      </div>
    </>
  );
}

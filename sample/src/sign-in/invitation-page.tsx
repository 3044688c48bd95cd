import { type Schemas, unwrap } from '@tenantry/client';
import { Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { Field, NewPasswordField } from '../form/field';
import { Form } from '../form/form';
import { QueryResult } from '../list/query-result';
import { api, useClaims } from '../session';
import { AuthLayout } from './auth-layout';
import { LinkUsed } from './link-used';
import { AuthLink } from './auth-link';

/** Where the mail of an invitation leads to: who is asked into what, and the shortest way in. */
export default function InvitationPage({ token }: { token: string | undefined }) {
  const preview = useQuery({
    queryKey: ['invitation'],
    queryFn: async () => unwrap(await api.GET('/invitations/preview', { params: { query: { token: token! } } })),
    enabled: token !== undefined,
    staleTime: Infinity,
    meta: { isOnce: true }, // accepting it makes it invalid: what is shown until then is still true
  });
  if (!token) return <LinkUsed />;
  const { tenantName, role, email } = preview.data ?? {};
  return (
    <AuthLayout
      title={tenantName ? `Join ${tenantName}` : 'Your invitation'}
      text={tenantName && `You are invited as ${role}, with the address ${email}.`}
    >
      <Stack spacing={2}>
        <QueryResult from={preview}>{(invitation) => <WayIn token={token} invitation={invitation} />}</QueryResult>
        {preview.error && <AuthLink to="/">Go to Tenantry</AuthLink>}
      </Stack>
    </AuthLayout>
  );
}

/** Joins, and makes the tenant the active one. */
async function join(token: string) {
  const joined = await api.POST('/invitations/accept', { body: { token } });
  return joined.ok ? api.POST('/auth/switch-tenant', { body: { tenantId: joined.data.tenant.id } }) : joined;
}

function WayIn({
  token,
  invitation: { email, accountExists },
}: {
  token: string;
  invitation: Schemas['InvitationPreview'];
}) {
  const claims = useClaims();
  const navigate = useNavigate();
  const onDone = () => void navigate('/');
  if (claims && claims.email !== email) {
    return (
      <>
        <div>
          You are signed in as {claims.email}. Log out first to go on as {email}.
        </div>
        <Form submit="Log out and go on" send={() => api.logOut()} />
      </>
    );
  }
  if (claims) return <Form submit="Accept invitation" send={() => join(token)} onDone={onDone} />;
  if (accountExists) {
    const enter = async (password: string) => {
      const entered = await api.POST('/auth/login', { body: { email, password } });
      return entered.ok ? join(token) : entered;
    };
    return (
      <>
        <Form
          submit="Log in and join"
          send={({ password = '' }) => enter(password)}
          onDone={onDone}
          at={{ INVALID_CREDENTIALS: 'password' }}
        >
          <input type="hidden" name="email" autoComplete="username" defaultValue={email} />
          <Field name="password" label="Your password" type="password" autoComplete="current-password" />
        </Form>
        <div>
          No password? Log in another way, then open the link of the mail again:{' '}
          <AuthLink to="/login">other ways</AuthLink>
        </div>
      </>
    );
  }
  const register = ({ name = '', password = '' }) =>
    api.POST('/invitations/register', { body: { token, name, password } });
  return (
    <Form submit="Create account and join" send={register} onDone={onDone}>
      <Field name="name" label="Your name" autoComplete="name" />
      <NewPasswordField />
    </Form>
  );
}

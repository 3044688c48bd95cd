import { ApiError, unwrap, withPasskey, type Answer, type Schemas } from '@tenantry/client';
import type { AuthProvider } from 'react-admin';
import { api } from './api';

type Credentials = Schemas['LogInBody'];
type SecondFactor = Schemas['SecondFactorBody'];

/** Thrown by `login` if the sign-in needs a second factor; `login` with the ticket continues it. */
export class SecondFactorRequired extends Error {
  constructor(readonly ticket: Schemas['TicketView']) {
    super('The sign-in needs a second factor.');
  }
}

/** The auth provider of react-admin. The layout checks that the user is an operator. */
export const authProvider: AuthProvider = {
  login: async (body: Credentials | SecondFactor) => {
    const sending = 'ticket' in body ? sendSecondFactor(body) : api.POST('/auth/login', { body });
    const signIn = unwrap<Schemas['SignIn'], string>(await sending);
    if ('secondFactor' in signIn) throw new SecondFactorRequired(signIn.secondFactor);
  },
  logout: async () => {
    if (api.session.claims()) unwrap(await api.logOut());
  },
  checkAuth: async () => {
    const current = await api.session.token();
    // During an outage the session may still be valid: the pages show the error and retry.
    if (current.ok && current.data === undefined) throw signedOut();
  },
  checkError: (error: unknown) => (isSessionOver(error) ? Promise.reject(signedOut()) : Promise.resolve()),
  getIdentity: () => {
    const claims = api.session.claims();
    return Promise.resolve({ id: claims?.sub ?? '', fullName: claims?.name, email: claims?.email });
  },
};

/** A ticket without a code is sent with a passkey, which the browser asks for. */
function sendSecondFactor(body: SecondFactor): Promise<Answer<Schemas['SignIn']>> {
  if ('code' in body || 'recoveryCode' in body) return api.POST('/auth/second-factor', { body });
  return withPasskey(api, (passkey) => api.POST('/auth/second-factor', { body: { ...body, passkey } }));
}

/** Makes react-admin show the sign-in page, without a message. */
const signedOut = () => Object.assign(new Error(), { message: false });

function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

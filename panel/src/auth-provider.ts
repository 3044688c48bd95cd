import { ApiError, unwrap } from '@tenantry/client';
import type { AuthProvider } from 'react-admin';
import { api } from './api';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Signing in and out, as react-admin asks for it. Whether somebody is an operator is seen by the
 * frame, which says so.
 */
export const authProvider: AuthProvider = {
  login: async ({ email, password }: Credentials) => {
    unwrap(await api.POST('/auth/login', { body: { email, password } }));
  },
  logout: async () => {
    if (api.session.claims()) unwrap(await api.logOut());
  },
  checkAuth: async () => {
    const current = await api.session.token();
    // A service that cannot be reached says nothing about the session: the pages tell of it, and
    // can be tried again.
    if (current.ok && current.data === undefined) throw signedOut();
  },
  checkError: (error: unknown) => (isSessionOver(error) ? Promise.reject(signedOut()) : Promise.resolve()),
  getIdentity: () => {
    const claims = api.session.claims();
    return Promise.resolve({ id: claims?.sub ?? '', fullName: claims?.name, email: claims?.email });
  },
};

/**
 * Makes react-admin show the sign-in page, by its `message` without a word: the page says enough.
 */
const signedOut = () => Object.assign(new Error(), { message: false });

function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

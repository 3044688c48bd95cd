import {
  signInWithPasskey,
  type Answer,
  type FragmentParams,
  type Schemas,
  type createClient,
} from '../../client/src/index';

// Compiled by `npm run types` only: each expected error that is missing is an error.

declare const api: ReturnType<typeof createClient>;
declare const fragment: FragmentParams;

type SignIn = Answer<Schemas['SignIn'], string>;

/** Every sign-in may need a second factor. */
export const signIns = (): Promise<SignIn>[] => [
  api.POST('/auth/login', { body: { email: 'ada@example.com', password: 'secret' } }),
  api.POST('/auth/magic-link/code', { body: { email: 'ada@example.com', code: '123456' } }),
  api.POST('/auth/magic-link/verify', { body: { token: 'a' } }),
  api.POST('/auth/magic-link/code', { body: { email: 'ada@example.com', code: '123456' } }),
  signInWithPasskey(api),
  api.POST('/auth/verify-email', { body: { token: 'a' } }),
  api.POST('/invitations/register', { body: { token: 'a', name: 'Ada', password: 'secret' } }),
];

export async function tokenWithoutLook(): Promise<string> {
  const answer = await api.POST('/auth/login', { body: { email: 'ada@example.com', password: 'secret' } });
  if (!answer.ok) return answer.error.code;
  // @ts-expect-error there may be no token
  return answer.data.accessToken as string;
}

export async function tokenOrTicket(): Promise<string> {
  const answer = await api.POST('/auth/login', { body: { email: 'ada@example.com', password: 'secret' } });
  if (!answer.ok) return answer.error.code;
  if (!('secondFactor' in answer.data)) return answer.data.accessToken;
  const { ticket, methods, expiresIn } = answer.data.secondFactor;
  // @ts-expect-error no such method
  if (methods.includes('sms')) return '';
  // @ts-expect-error there is no token
  return [ticket, methods, expiresIn, answer.data.accessToken].join();
}

/** The second step never asks for another one. */
export async function tokenAfterSecondStep(): Promise<string> {
  const answer = await api.POST('/auth/second-factor', { body: { ticket: 'a', code: '123456' } });
  return answer.ok ? answer.data.accessToken : answer.error.code;
}

export function fragmentParams(): string | undefined {
  // @ts-expect-error there may be no ticket
  if (fragment.secondFactor.ticket) return '';
  if (fragment.accessToken !== undefined) return fragment.accessToken + String(fragment.expiresIn);
  // @ts-expect-error without an access token there is no refresh token
  const refreshToken: string = fragment.refreshToken;
  if (fragment.secondFactor) return fragment.secondFactor.ticket + refreshToken;
  return fragment.error ?? fragment.token;
}

// @ts-expect-error a fragment has a ticket or tokens
export const both: FragmentParams = { accessToken: 'a', secondFactor: { ticket: 'b', methods: [], expiresIn: 300 } };

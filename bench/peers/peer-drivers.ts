import type { Request } from 'autocannon';
import { CONNECTIONS, LOGIN_CONNECTIONS } from '../driver-connections';
import { drive, type Measured } from '../load-drivers';
import { emailOf, PASSWORD } from '../seed-data';
import { BASE_URL } from '../servers';
import { cookieOf } from './peer-data';

/** GET of the session as 1,000 users in turn, spread evenly. */
export function readSession(url: string, users: number, seconds: number): Promise<Measured> {
  const cookies = Array.from({ length: 1000 }, (_, n) => cookieOf(1 + Math.floor((n * users) / 1000)));
  let next = 0;
  const setupRequest = (request: Request) => ({ ...request, headers: { cookie: cookies[next++ % cookies.length] } });
  const requests = [{ method: 'GET' as const, path: '/api/auth/get-session', setupRequest }];
  return drive({ url, connections: CONNECTIONS, duration: seconds, requests });
}

/** Sign-in as many users in turn. */
export function signIn(url: string, users: number, seconds: number): Promise<Measured> {
  let next = 0;
  const headers = { 'content-type': 'application/json', origin: BASE_URL };
  const setupRequest = (request: Request) => ({
    ...request,
    body: JSON.stringify({ email: emailOf((next++ % users) + 1), password: PASSWORD }),
  });
  const requests = [{ method: 'POST' as const, path: '/api/auth/sign-in/email', headers, setupRequest }];
  return drive({ url, connections: LOGIN_CONNECTIONS, duration: seconds, requests });
}

import { createPrivateKey } from 'node:crypto';
import { newSigningKey } from '../dev/local-keys';
import { ALL_PERMISSIONS } from '../src/platform/permissions';
import { SigningKeys } from '../src/platform/signing-keys';
import { emailOf, idOf, MEMBERS, tenantOf } from './seed-data';
import { BASE_URL } from './servers';

const VALID_SECONDS = 7200;

/** The key of all servers of a run, in PEM. */
export const privateKey = newSigningKey();
const keys = new SigningKeys(createPrivateKey(privateKey), []);

/** The access token of an account, as Owner of a tenant. */
export const tokenFor = (account: number, tenantId: string): Promise<string> =>
  sign(account, { tenant_id: tenantId, role: 'Owner', permissions: ALL_PERMISSIONS, is_admin: false });

/** The access token of an operator. */
export const tokenOfAdmin = (): Promise<string> => sign(1, { role: '', permissions: [], is_admin: true });

/** Tokens of 1,000 accounts, spread evenly. */
export function tokensFor(users: number): Promise<string[]> {
  const accounts = Array.from({ length: 1000 }, (_, n) => 1 + Math.floor((n * users) / 1000));
  return Promise.all(accounts.map((i) => tokenFor(i, tenantOf(i))));
}

/** The token of the Owner of a tenant. */
export const tokenOfOwner = (tenant: number) => tokenFor((tenant - 1) * MEMBERS + 1, idOf(4, tenant));

function sign(account: number, claims: object): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const user = { sub: idOf(1, account), email: emailOf(account), name: `Bench ${account}` };
  const token = { jti: idOf(3, account * 3), iss: BASE_URL, aud: BASE_URL, iat, exp: iat + VALID_SECONDS };
  return keys.sign({ ...user, ...claims, ...token });
}

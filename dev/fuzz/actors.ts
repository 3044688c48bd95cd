import { PASSWORD, type World } from './world';
import { send } from './request';

/** Who sends requests. */
export const ACTORS = ['nobody', 'member', 'owner', 'admin', 'impersonating'] as const;
export type ActorName = (typeof ACTORS)[number];

/** The access tokens of a world's people; nobody has none. */
export type Tokens = Readonly<Partial<Record<ActorName, string>>>;

let signIns = 0;

/** An address of its own for each sign-in: many accounts that sign in from one address look like guessing, and would be made to wait. */
const nextAddress = () => `10.${(++signIns >> 16) & 255}.${(signIns >> 8) & 255}.${signIns & 255}`;

/** Signs everybody in. */
export async function signIn(address: string, { emails, own }: World): Promise<Tokens> {
  const tokenOf = async (path: string, body: object, headers: Record<string, string> = {}): Promise<string> => {
    const { status, text } = await send(address, { method: 'POST', path: `/api/v1${path}`, query: '', headers, body });
    if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text}`);
    return (JSON.parse(text) as { data: { accessToken: string } }).data.accessToken;
  };
  const login = (email: string) => tokenOf('/auth/login', { email, password: PASSWORD }, { 'x-forwarded-for': nextAddress() });
  const [member, owner, admin] = [await login(emails.member), await login(emails.owner), await login(emails.admin)];
  const impersonating = await tokenOf(`/admin/users/${own.members}/impersonate`, { reason: 'fuzz' }, { authorization: `Bearer ${admin}` });
  return { member, owner, admin, impersonating };
}

/** Whether a token still lets its actor in, to a tenant that is there. */
export async function isIn(address: string, token: string): Promise<boolean> {
  const { status } = await send(address, {
    method: 'GET',
    path: '/api/v1/tenants/current',
    query: '',
    headers: { authorization: `Bearer ${token}` },
  });
  return status === 200;
}

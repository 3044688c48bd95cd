import { json, Router, type RequestHandler } from 'express';
import { pageOf, SMALLEST_ID } from '../src/platform/pagination';
import type { UserProfile } from '../src/users/domain/user-profile';
import { claimsOf } from './baseline-access-tokens';
import { prepared } from './baseline-pool';
import { ME, MEMBERS, RENAME, type MemberRow } from './baseline-statements';

const me = prepared<UserProfile & { deletesAt: Date | null; tenantName: string }>('me', ME);
const rename = prepared<UserProfile>('rename', RENAME);
const members = prepared<MemberRow>('members', MEMBERS);

/** The service has it in its cache. */
const freePlan = (tenantId: string) => ({
  tenantId,
  plan: 'Free',
  status: 'Active',
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  trialEndsAt: null,
  interval: null,
  currency: null,
  seats: null,
  discount: null,
  pendingChange: null,
  processorCustomerId: null,
  processorSubscriptionId: null,
  updatedAt: null,
});

const getMe: RequestHandler = async (request, response) => {
  const { sub, tenant_id: id, role, permissions } = claimsOf(request);
  const [{ deletesAt, tenantName, ...user }] = await me(sub, id);
  const tenant = { id, name: tenantName };
  response.json({
    success: true,
    data: { user, tenant, role, permissions, subscription: freePlan(id), impersonatorId: null, deletesAt },
  });
};

const updateMe: RequestHandler = async (request, response) => {
  const { name } = request.body as { name: string };
  const [user] = await rename(claimsOf(request).sub, name);
  response.json({ success: true, data: user });
};

const listMembers: RequestHandler = async (request, response) => {
  const limit = Number(request.query.limit);
  const { items, nextCursor } = pageOf(await members(claimsOf(request).tenant_id, SMALLEST_ID, limit + 1), limit);
  response.json({ success: true, data: { items: items.map(({ id: _id, ...member }) => member), nextCursor } });
};

/** The routes of the baseline that read or change accounts. */
export const accountRoutes = Router()
  .get('/auth/me', getMe)
  .patch('/users/me', json(), updateMe)
  .get('/tenants/current/members', listMembers);

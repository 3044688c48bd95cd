import { DAY, addSeconds } from '../../platform/clock';
import { ALL_PERMISSIONS, type Permission } from '../../platform/permissions';
import { Invitation } from './invitation';
import { Role } from './role';

const NOW = new Date('2026-03-01T12:00:00Z');
const IN_A_WEEK = addSeconds(NOW, 7 * DAY);
const [OWNER, ADMIN, MEMBER] = Role.builtIn('tenant');
const CUSTOM = Object.assign(new Role(), { ...MEMBER, isBuiltIn: false, permissions: ['tenant.audit.read'] });

const invitationTo = (role: Role) => Invitation.create('grace@example.com', role, 'ada', NOW);

describe('A new invitation', () => {
  it('offers the role, in its tenant, for seven days, and has no token before its mail is sent', () =>
    expect(invitationTo(MEMBER)).toEqual({
      tenantId: 'tenant',
      id: expect.any(String),
      email: 'grace@example.com',
      roleId: MEMBER.id,
      invitedBy: 'ada',
      tokenHash: null,
      createdAt: NOW,
      expiresAt: IN_A_WEEK,
    }));

  it.each<[string, Date, boolean]>([
    ['is not expired at first', NOW, false],
    ['is not expired in the second before its time is over', addSeconds(IN_A_WEEK, -1), false],
    ['is expired when its time is over', IN_A_WEEK, true],
    ['is expired later', addSeconds(IN_A_WEEK, DAY), true],
  ])('%s', (_rule, at, expected) => expect(invitationTo(MEMBER).isExpired(at)).toBe(expected));
});

describe('An invitation that is sent again', () => {
  const later = addSeconds(NOW, 10 * DAY);
  const invitation = Object.assign(invitationTo(MEMBER), { tokenHash: Buffer.from('digest') });
  invitation.resend('bob', later);

  it('is sent in the name of the second sender', () => expect(invitation.invitedBy).toBe('bob'));
  it('keeps the token of its first mail', () => expect(invitation.tokenHash).not.toBeNull());
  it('is valid for seven more days', () => expect(invitation.expiresAt).toEqual(addSeconds(later, 7 * DAY)));
  it('keeps the time of its creation', () => expect(invitation.createdAt).toEqual(NOW));
});

describe('Accepting an invitation', () => {
  const held: readonly Permission[] = ['tenant.audit.read'];
  const codeOf = (role: Role | undefined, permissions: readonly Permission[] | undefined, now = NOW) => {
    const accepted = invitationTo(role ?? MEMBER).accept('grace', role, permissions, now);
    return accepted.ok ? 'ok' : accepted.failure.code;
  };

  it('makes the user a member with the role as it is now', () => {
    const accepted = invitationTo(CUSTOM).accept('grace', CUSTOM, held, NOW);
    expect(accepted).toMatchObject({
      ok: true,
      value: { tenantId: 'tenant', userId: 'grace', roleId: CUSTOM.id, isOwner: false, joinedAt: NOW },
    });
  });

  it.each<[string, Role | undefined, readonly Permission[] | undefined, Date, string]>([
    ['succeeds if the sender holds the permissions of the role', CUSTOM, held, NOW, 'ok'],
    ['succeeds until it expires', CUSTOM, held, addSeconds(IN_A_WEEK, -1), 'ok'],
    ['fails when it has expired', CUSTOM, held, IN_A_WEEK, 'INVITATION_EXPIRED'],
    ['fails if the sender lacks a permission of the role', CUSTOM, [], NOW, 'INVITATION_INVALID'],
    ['fails if the role was given another permission', ADMIN, held, NOW, 'INVITATION_INVALID'],
    ['fails if the sender can no longer act in the tenant', CUSTOM, undefined, NOW, 'INVITATION_INVALID'],
    ['fails if it was used or revoked', undefined, held, NOW, 'INVITATION_INVALID'],
    ['never makes an Owner', OWNER, ALL_PERMISSIONS, NOW, 'INVITATION_INVALID'],
    ['fails as invalid rather than as expired if both are true', CUSTOM, [], IN_A_WEEK, 'INVITATION_INVALID'],
  ])('%s', (_rule, role, permissions, now, expected) => expect(codeOf(role, permissions, now)).toBe(expected));
});

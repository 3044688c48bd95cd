import type { Bearer, Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Entitlements } from '../../support/entitlement-overrides';
import { codeOf } from '../../support/error-code';

const DAY = 86_400;

describe('the audit log of a tenant', () => {
  let t: TestApp;
  let entitlements: Entitlements;
  beforeAll(async () => {
    t = await TestApp.start();
    entitlements = new Entitlements(t);
  });
  afterAll(() => t.close());

  const actions = async (by: Bearer) =>
    (await t.api.get('/tenants/current/audit-log?limit=100').set(by.bearer).expect(200)).body.data.items.map(
      ({ action }: { action: string }) => action,
    ) as string[];
  const exported = (by: Bearer) => t.api.get('/tenants/current/audit-log/export').set(by.bearer);
  const later = async (owner: Member, seconds: number): Promise<Member> => {
    t.clock.advance(seconds);
    return { ...owner, ...(await t.actors.signIn(owner.user.email)) };
  };

  it('shows as many days as the plan has; a longer one, or an override, shows the earlier ones again', async () => {
    const owner = await t.actors.owner();
    const soon = await later(owner, 29 * DAY);
    expect(await actions(soon)).toContain('tenant.created');
    const late = await later(owner, 2 * DAY);
    expect(await actions(late)).not.toContain('tenant.created');
    await entitlements.override(owner, { entitlements: { auditRetentionDays: 40 } });
    expect(await actions(late)).toContain('tenant.created');
    await entitlements.override(owner, { entitlements: { auditRetentionDays: 0 } });
    expect(await actions(late)).toEqual([]);
    await entitlements.override(owner, { plan: 'Pro' });
    expect(await actions(late)).toContain('tenant.created');
  });

  it('is complete for operators', async () => {
    const owner = await t.actors.owner();
    await later(owner, 60 * DAY);
    const admin = await t.actors.admin();
    const path = `/admin/audit-log?tenant=${owner.tenantId}&action=tenant.created`;
    expect((await t.api.get(path).set(admin.bearer).expect(200)).body.data.items).toHaveLength(1);
  });

  describe('as a file', () => {
    it('is 402 with the plan that has it, until the tenant has it, and 403 without the permission', async () => {
      const owner = await t.actors.owner({ plan: 'Pro' });
      const refused = await exported(owner).expect(402);
      expect([codeOf(refused), refused.body.error.details]).toEqual([
        'PLAN_REQUIRED',
        { entitlement: ['auditExport'], requiredPlan: ['Business'] },
      ]);
      await entitlements.override(owner, { entitlements: { auditExport: true } });
      await exported(owner).expect(200);
      const member = await t.actors.member(owner, ['tenant.projects.read']);
      expect(codeOf(await exported(member).expect(403))).toBe('FORBIDDEN');
      await t.api.get('/tenants/current/audit-log/export').expect(401);
    });

    it('has the entries of the list, newest first, and its own export', async () => {
      const owner = await t.actors.owner({ plan: 'Business' });
      const { headers, text } = await exported(owner).expect(200);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/);
      const [header, first, ...others] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
      expect(header).toBe(
        'id,at,action,actorId,impersonatorId,tenantId,targetType,targetId,ip,requestId,data,principalKind,principalId',
      );
      expect(first.split(',').slice(2, 4)).toEqual(['audit-log.exported', owner.user.id]);
      expect(others.map((line) => line.split(',')[2])).toEqual((await actions(owner)).slice(1));
    });

    it('has all pages, no formula, no entry of another tenant, and none that is too old', async () => {
      const owner = await t.actors.owner({ plan: 'Business' });
      const early = await later(owner, 1100 * DAY);
      await t.database.query(
        `INSERT INTO audit_log (id, at, action, tenant_id, target_type, target_id, request_id, data)
         SELECT (lpad(to_hex((extract(epoch FROM $2::timestamptz) * 1000)::bigint), 12, '0')
                 || substr(gen_random_uuid()::text, 15))::uuid, $2, '=cmd()', $1, 'x', n, 'r', '{}'
           FROM generate_series(1, 1500) n`,
        [owner.tenantId, t.clock.now()],
      );
      await t.actors.owner();
      const { text } = await exported(early).expect(200);
      const lines = text.trimEnd().split('\r\n').slice(1);
      expect(lines.filter((line) => line.includes(",'=cmd(),"))).toHaveLength(1500);
      expect(lines.filter((line) => line.includes(',=cmd()'))).toEqual([]);
      expect(lines.filter((line) => !line.includes(owner.tenantId))).toEqual([]);
      expect(lines.filter((line) => line.includes('tenant.created'))).toEqual([]);
    });
  });
});

import type { EntitlementsView } from '../../src/billing/entitlements/http/views/entitlements.views';
import type { Bearer, Member, SignedInUser } from './actors';
import type { TestApp } from './app';

const DAY = 86_400;
const MINUTES_10_MS = 600_000;

/** Gives tenants plans and entitlements, like an operator, and reads what they may do. */
export class Entitlements {
  private admin?: { readonly actor: SignedInUser; readonly until: number };

  constructor(private readonly t: TestApp) {}

  /** The request of an operator who overrides what a tenant may do, for a day by default. */
  async request({ tenantId }: Pick<Member, 'tenantId'>, body: object, app = this.t) {
    const endsAt = new Date(this.t.clock.now().getTime() + DAY * 1000).toISOString();
    const { bearer } = await this.operator();
    return app.api
      .put(`/admin/tenants/${tenantId}/entitlements`)
      .set(bearer)
      .send({ endsAt, reason: 'Pilot', ...body });
  }

  async override(tenant: Pick<Member, 'tenantId'>, body: object): Promise<void> {
    const { status, text } = await this.request(tenant, body);
    expect([status, text]).toEqual([200, expect.any(String)]);
  }

  /** Gives a tenant as many seats as a test needs. */
  giveSeats(tenant: Pick<Member, 'tenantId'>, seats: number | null = null): Promise<void> {
    return this.override(tenant, { entitlements: { seats } });
  }

  /** An operator with a token that is valid now, however far a test has moved the clock. */
  async operator(): Promise<SignedInUser> {
    const now = this.t.clock.now().getTime();
    if (!this.admin || now > this.admin.until) {
      const user = this.admin?.actor.user ?? (await this.t.actors.user({ isAdmin: true }));
      this.admin = { actor: { user, ...(await this.t.actors.signIn(user.email)) }, until: now + MINUTES_10_MS };
    }
    return this.admin.actor;
  }

  async of(by: Bearer): Promise<EntitlementsView> {
    const { body } = await this.t.api.get('/tenants/current/entitlements').set(by.bearer).expect(200);
    return (body as { data: EntitlementsView }).data;
  }

  /** One of the entitlements by its name. */
  async named(by: Bearer, name: string) {
    return (await this.of(by)).items.find((item) => item.name === name)!;
  }
}

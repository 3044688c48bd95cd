import type { INestApplicationContext } from '@nestjs/common';
import { CreateServiceAccount } from '../../src/keys/commands/create-service-account';
import { CreateProject } from '../../src/projects/commands/create-project';
import { CreateRole } from '../../src/tenants/commands/create-role';
import { CreateTenant } from '../../src/tenants/commands/create-tenant';
import type { User } from '../../src/users/domain/user';
import type { CustomerActions } from '../stripe/customer-actions';
import { joinAsMember, ownerOf } from '../tenant-fixtures';
import { Fixtures } from './fixtures';

/** Ids by the path segment before them. */
export type Ids = Readonly<Record<string, string>>;

/**
 * A tenant with its members and data, and another tenant whose data they must not reach.
 */
export interface TestTenants {
  readonly users: { readonly owner: User; readonly member: User; readonly admin: User; readonly stranger: User };
  /** Ids of the tenant. Sessions and notifications belong to the Member. */
  readonly own: Ids;
  readonly foreign: Ids;
}

/** Creates test tenants in the database of the service. */
export class TestTenantsFactory {
  readonly fixtures: Fixtures;

  constructor(
    private readonly app: INestApplicationContext,
    customers: Pick<CustomerActions, 'pay'>,
  ) {
    this.fixtures = new Fixtures(app, customers);
  }

  /**
   * Creates new test tenants.
   * @param last test tenants whose foreign tenant is used again, because it is unchanged
   */
  async make(last?: TestTenants): Promise<TestTenants> {
    const { fixtures } = this;
    const [owner, member, admin, stranger] = await Promise.all([
      fixtures.user('owner'),
      fixtures.user('member'),
      fixtures.user('admin', { isAdmin: true }),
      last?.users.stranger ?? fixtures.user('stranger'),
    ]);
    const [own, foreign] = await Promise.all([
      this.tenant(owner, [member, admin], member),
      last?.foreign ?? this.tenant(stranger, [], stranger),
    ]);
    return { users: { owner, member, admin, stranger }, own: { ...own, providers: 'google' }, foreign };
  }

  private async tenant(owner: User, others: readonly User[], user: User): Promise<Ids> {
    const { fixtures } = this;
    const { id: tenantId } = await fixtures.execute(
      new CreateTenant({ userId: owner.id, impersonatorId: null }, 'Fuzz'),
    );
    const actor = ownerOf(tenantId, owner.id);
    for (const other of others) await joinAsMember(this.app, tenantId, other);
    const role = await fixtures.execute(new CreateRole(actor, 'Reader', ['tenant.projects.read']));
    const project = await fixtures.execute(new CreateProject(actor, { name: 'Project' }));
    const invitation = await fixtures.invitation({ tenantId, roleId: role.id, invitedBy: owner.id });
    const webhook = await fixtures.webhook(actor);
    const stream = await fixtures.auditStream(actor);
    const notifications = await fixtures.notification(tenantId, user.id);
    const { id: sessions } = await fixtures.session(user);
    const account = await fixtures.execute(new CreateServiceAccount(actor, 'Import'));
    const keys = await fixtures.apiKey(tenantId, { serviceAccountId: account.id });
    const tokens = await fixtures.apiKey(tenantId, { userId: user.id });
    const ofTenant = { tenants: tenantId, roles: role.id, projects: project.id, invitations: invitation.id };
    const ofPrograms = { 'service-accounts': account.id, keys, tokens, 'audit-streams': stream };
    return { ...ofTenant, ...ofPrograms, users: user.id, members: user.id, sessions, notifications, ...webhook };
  }
}

import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { Clock } from '../../src/platform/clock';
import { Database } from '../../src/platform/database';
import { newId } from '../../src/platform/ids';
import { type Result } from '../../src/platform/result';
import { CreateProject } from '../../src/projects/commands/create-project';
import { CreateRole } from '../../src/tenants/commands/create-role';
import { CreateTenant } from '../../src/tenants/commands/create-tenant';
import { InviteMember } from '../../src/tenants/commands/invite-member';
import { PasswordHasher } from '../../src/users/domain/password-hasher';
import { User } from '../../src/users/domain/user';
import { joinAsMember, ownerOf, valueOf } from '../made-tenants';

export const PASSWORD = 'a long enough phrase';

/** Ids by the path segment that they stand behind: those of a tenant. */
export type Ids = Readonly<Record<string, string>>;

/** A tenant with its people and things, and another one whose things nobody of the first may reach. */
export interface World {
  readonly emails: { readonly owner: string; readonly member: string; readonly admin: string };
  readonly own: Ids;
  readonly foreign: Ids;
}

/** Makes worlds in the database of the service, through an application that answers no requests. */
export class WorldMaker {
  private hash?: string;

  constructor(private readonly app: INestApplicationContext) {}

  /** A new world, which no request has touched. */
  async make(): Promise<World> {
    const [owner, member, admin, stranger] = [await this.user('o'), await this.user('m'), await this.user('a', true), await this.user('s')];
    const own = await this.tenant(owner);
    for (const joining of [member, admin]) await joinAsMember(this.app, own.tenants, joining);
    const foreign = await this.tenant(stranger);
    const emails = { owner: owner.email, member: member.email, admin: admin.email };
    return { emails, own: { ...own, members: member.id, users: member.id }, foreign: { ...foreign, members: stranger.id } };
  }

  private async user(prefix: string, isAdmin = false): Promise<User> {
    this.hash ??= valueOf(await this.app.get(PasswordHasher, { strict: false }).hash(PASSWORD));
    const user = User.register(`${prefix}-${newId()}@example.com`, 'Fuzz', this.hash, this.app.get(Clock).now());
    user.verifyEmail(this.app.get(Clock).now());
    await this.app.get(Database).manager.insert(User, Object.assign(user, { isAdmin }));
    return user;
  }

  private async tenant(owner: User): Promise<Ids> {
    const { id: tenantId } = await this.execute(new CreateTenant({ userId: owner.id, impersonatorId: null }, 'Fuzz'));
    const actor = ownerOf(tenantId, owner.id);
    const role = await this.execute(new CreateRole(actor, 'Reader', ['tenant.projects.read']));
    const project = await this.execute(new CreateProject(actor, 'Project'));
    const invitation = await this.execute(new InviteMember(actor, `guest-${newId()}@example.com`, undefined));
    return { tenants: tenantId, roles: role.id, projects: project.id, invitations: invitation.id, jobs: '1', users: owner.id };
  }

  private async execute<T>(command: Command<Result<T>>): Promise<T> {
    return valueOf(await this.app.get(CommandBus).execute(command));
  }
}

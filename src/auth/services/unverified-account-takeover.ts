import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { Jobs } from '../../platform/jobs/jobs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { workspaceNameOf } from '../../tenants/tenants.api';
import { RegistrationRepository, UserRepository, type User } from '../../users/users.api';
import { NameWorkspace } from '../commands/name-workspace';
import { SendPasswordRemovedMail } from '../commands/send-password-removed-mail';
import { SessionRepository } from '../data/session.repository';

/** The one workspace that an account has before anybody has signed in. */
const OTHERWISE_NAMED = 'SELECT tenant_id AS id FROM memberships_of($1) WHERE tenant_name <> $2 LIMIT 1';

/**
 * What happens to an unverified account when the owner of its mailbox is here (contract section 3,
 * proof of the mailbox): somebody who knew the address may have registered it first, to come in
 * later with the password they set ("pre-hijacking").
 */
@Injectable()
export class UnverifiedAccountTakeover {
  constructor(
    private readonly users: UserRepository,
    private readonly registrations: RegistrationRepository,
    private readonly sessions: SessionRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies the account, which this transaction has locked, and takes its password and sessions
   * away; the owner is told by mail. A verified one stays as it is.
   * @returns whether a password was taken away
   */
  async claim(user: User): Promise<boolean> {
    if (user.isEmailVerified) return false;
    const hadPassword = user.passwordHash !== null;
    user.claimByMailbox(this.clock.now());
    await this.users.save(user);
    await this.sessions.revokeAll(user.id, this.clock.now(), 'mailbox-claimed');
    await this.settle(user);
    if (hadPassword) await this.jobs.enqueue(new SendPasswordRemovedMail(user.email));
    return hadPassword;
  }

  /**
   * After an account was verified, whatever proved the mailbox: registrations go, and the workspace
   * is called after who is here.
   */
  async settle(user: User): Promise<void> {
    if (!(await this.registrations.removeAll(user.id))) return;
    const [workspace] = await this.unitOfWork.query<{ id: string }>(OTHERWISE_NAMED, [
      user.id,
      workspaceNameOf(user.name),
    ]);
    if (workspace) await this.jobs.enqueue(new NameWorkspace(user.id, workspace.id));
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { nameFromEmail } from '../../platform/text/typed-text';
import { TenantsOfUser, workspaceNameOf } from '../../tenants/tenants.api';
import { RegistrationRepository, UserRepository, type User } from '../../users/users.api';
import { UnverifiedAccountTakenOver } from '../auth.events';
import { SessionRevoker } from './session-revoker';

/**
 * Hands an unverified account over to the owner of its mailbox (docs/contract.md, Proof of the
 * mailbox). A stranger may have registered the address first, in order to sign in later with the
 * password of that registration (account pre-hijacking).
 */
@Injectable()
export class UnverifiedAccountTakeover {
  constructor(
    private readonly users: UserRepository,
    private readonly registrations: RegistrationRepository,
    private readonly sessionRevoker: SessionRevoker,
    private readonly events: DomainEvents,
    private readonly tenantsOfUser: TenantsOfUser,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies an unverified account, removes its password, replaces its name and revokes its
   * sessions. Does nothing if the account is verified.
   * @param user locked by this transaction
   * @param name of the owner, if it is known; else the part of the address before the @
   * @returns whether a password was removed
   */
  async takeOver(user: User, name = nameFromEmail(user.email)): Promise<boolean> {
    if (user.isEmailVerified) return false;
    const passwordRemoved = user.passwordHash !== null;
    user.takeOver(name, this.clock.now());
    await this.users.save(user);
    await this.sessionRevoker.revokeAll(user.id, 'mailbox-claimed');
    await this.complete(user, passwordRemoved);
    return passwordRemoved;
  }

  /**
   * Deletes the registrations of an account that was just verified with a name and a password of
   * its owner, and has its workspace renamed if a stranger named it.
   */
  discardRegistrations(user: User): Promise<void> {
    return this.complete(user, false);
  }

  private async complete(user: User, passwordRemoved: boolean): Promise<void> {
    const workspace = (await this.registrations.removeAll(user.id)) ? await this.workspaceToRename(user) : undefined;
    await this.events.publish(new UnverifiedAccountTakenOver(user, passwordRemoved, workspace));
  }

  /** Before the first sign-in an account has exactly one workspace. */
  private async workspaceToRename({ id, name }: User): Promise<string | undefined> {
    const workspaces = await this.tenantsOfUser.list(id);
    return workspaces.find((workspace) => workspace.name !== workspaceNameOf(name))?.id;
  }
}

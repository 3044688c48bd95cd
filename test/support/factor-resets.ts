import { CommandBus } from '@nestjs/cqrs';
import { CompleteFactorResets } from '../../src/factors/commands/complete-factor-resets';
import { PASSWORD, type SignedInUser } from './actors';
import type { TestApp } from './app';
import { AuthenticatorApp } from './authenticator-app';
import { untilNoJobIsDue } from './job-queue';

/** The reason that operators give. */
export const REASON = 'Ticket 4713: phone lost, identity checked by video call';

/** Actions and queries of tests of resets, with two operators. */
export class FactorResets {
  private constructor(
    private readonly t: TestApp,
    public asking: SignedInUser,
    public approving: SignedInUser,
  ) {}

  /** With new operators, whose proofs of identity are fresh. */
  static async start(t: TestApp): Promise<FactorResets> {
    return new FactorResets(t, await t.actors.admin(), await t.actors.admin());
  }

  request(userId: string, by = this.asking, body: object = { reason: REASON }) {
    return this.t.api.post(`/admin/users/${userId}/factors/reset`).set(by.bearer).send(body);
  }

  approve(id: string, by = this.approving, at = this.t) {
    return at.api.post(`/admin/factor-resets/${id}/approve`).set(by.bearer);
  }

  cancel(id: string, by = this.asking) {
    return this.t.api.post(`/admin/factor-resets/${id}/cancel`).set(by.bearer);
  }

  stop(token: string, at = this.t) {
    return at.api.post('/auth/factors/reset/stop').send({ token });
  }

  async listed(query: object) {
    const { body } = await this.t.api.get('/admin/factor-resets').query(query).set(this.asking.bearer).expect(200);
    return body.data.items;
  }

  async stateOf(userId: string): Promise<string> {
    const sql = 'SELECT state FROM factor_resets WHERE user_id = $1 ORDER BY id DESC';
    return (await this.t.database.query<{ state: string }>(sql, [userId]))[0].state;
  }

  /** A user with a second factor. */
  async enrolled() {
    const actor = await this.t.actors.signedInUser();
    const app = await AuthenticatorApp.enrol(this.t, actor);
    return { actor, app, userId: actor.user.id, email: actor.user.email };
  }

  /** A user whose reset was requested. */
  async requested() {
    const target = await this.enrolled();
    const { body } = await this.request(target.userId).expect(200);
    return { ...target, id: body.data.id as string };
  }

  /** A user whose reset was requested and approved. */
  async approved() {
    const target = await this.requested();
    await this.approve(target.id).expect(200);
    return target;
  }

  /** The token of the link that stops a reset. */
  async stopToken(email: string): Promise<string> {
    const { text } = await this.t.mailbox.titled(email, 'A reset of your second factor was requested');
    return /stop-factor-reset#token=([\w-]+)/.exec(text)![1];
  }

  /** What the schedule does every ten minutes, with the jobs that it starts. */
  async tick(at = this.t): Promise<void> {
    await at.nest.get(CommandBus).execute(new CompleteFactorResets());
    await untilNoJobIsDue(this.t);
  }

  async hasFactor(email: string): Promise<boolean> {
    const { body } = await this.t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
    return body.data.secondFactor !== undefined;
  }

  /** The audit entries about resets of a user. */
  entries(userId: string) {
    return this.t.database.query<{ action: string; actor_id: string | null; data: object }>(
      `SELECT action, actor_id, data FROM audit_log
        WHERE target_id = $1 AND (action LIKE 'factor-reset.%' OR action = 'second-factor.reset') ORDER BY id`,
      [userId],
    );
  }

  async actions(userId: string): Promise<string[]> {
    return (await this.entries(userId)).map(({ action }) => action);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosTenant } from '../chaos/tenant-seed';
import type { SeededRandom } from '../stripe/seeded-random';
import { newSessions, newTenants } from './seed-data';
import { StripeEvents, type Subscribed } from './stripe-events';
import type { Environment } from './environment';
import type { RequestCounter } from './request-counter';
import { waitUntil } from './wait-until';

const TENANTS = 250;
const SESSIONS = 6;
/**
 * Milliseconds between two deeds of the same sort; an event that was not taken is delivered again
 * after as long.
 */
const REST_MS = 400;
/** How often more an event is delivered when everybody else has left. */
const LAST_TRIES = 25;

/**
 * People who register, invite and refresh, and a processor that delivers events, all the while and
 * at any instance.
 */
export class SimulatedUsers {
  /**
   * Addresses that a mail must come to: of people who were told that they are registered or have
   * invited somebody.
   */
  readonly mailed: string[] = [];
  /** Events that were taken. */
  readonly taken: Subscribed[] = [];
  /** Events that were refused for good. */
  untaken = 0;
  readonly payments: StripeEvents;
  private left = false;
  private walking: Promise<unknown>[] = [];
  private count = 0;

  private constructor(
    private readonly environment: Environment,
    private readonly counter: RequestCounter,
    private readonly name: string,
    private readonly random: SeededRandom,
    private readonly tenants: readonly ChaosTenant[],
    private readonly sessions: readonly string[],
  ) {
    this.payments = new StripeEvents(environment, counter, name);
  }

  /** @param name no two crowds have the same */
  static async gather(
    environment: Environment,
    counter: RequestCounter,
    name: string,
    random: SeededRandom,
  ): Promise<SimulatedUsers> {
    return new SimulatedUsers(
      environment,
      counter,
      name,
      random,
      await newTenants(environment, name, TENANTS),
      await newSessions(environment, SESSIONS),
    );
  }

  come(): void {
    this.walking = [
      this.again(() => this.register()),
      this.again((time) => this.invite(time)),
      this.again((time) => this.bePaid(time)),
      ...this.sessions.map((token, index) => this.staySignedIn(token, index)),
    ];
  }

  async leave(): Promise<void> {
    this.left = true;
    await Promise.all(this.walking);
  }

  /** @returns the address, where it was acknowledged */
  register(email = this.newAddress()): Promise<string | undefined> {
    return this.mail(201, '/auth/register', {}, { email, password: 'correct horse battery', name: 'Visitor' });
  }

  /** Whether a mail has come to each within some milliseconds. */
  haveMail(emails: readonly string[], withinMs: number): Promise<boolean> {
    return waitUntil(() => this.withoutMail(emails) === 0, withinMs);
  }

  withoutMail(emails: readonly string[] = this.mailed): number {
    const served = new Set(this.environment.inbox.mails.map(({ to }) => to));
    return emails.filter((email) => !served.has(email)).length;
  }

  private invite(time: number): Promise<string | undefined> {
    const { token } = this.tenants[time % TENANTS];
    return this.mail(
      200,
      '/tenants/current/invitations',
      { Authorization: `Bearer ${token}` },
      { email: this.newAddress() },
    );
  }

  private async mail(
    expected: number,
    path: string,
    headers: Record<string, string>,
    body: { email: string; [field: string]: string },
  ): Promise<string | undefined> {
    const { status } = await this.counter.ask({ address: this.anyAddress(), path, headers, body }, expected);
    if (status !== expected) return undefined;
    this.mailed.push(body.email);
    return body.email;
  }

  private newAddress(): string {
    return `${this.name}-${++this.count}@faults.example`;
  }

  /** The processor delivers until the event is taken. */
  private async bePaid(time: number): Promise<void> {
    if (time >= TENANTS) return;
    const event = this.payments.subscribe(this.tenants[time]);
    for (let more = LAST_TRIES; more > 0; more -= this.left ? 1 : 0) {
      if ((await this.payments.deliver(event, this.anyAddress())).status === 200) return void this.taken.push(event);
      await pause(REST_MS);
    }
    this.untaken++;
  }

  /**
   * What was answered 503 can be repeated, at the same instance; to be signed out is a broken
   * answer. Whom a kill leaves without any must sign in.
   */
  private async staySignedIn(token: string, index: number): Promise<void> {
    const { address } = this.environment.services[index % this.environment.services.length];
    while (!this.left) {
      const { status, data, isLost } = await this.counter.ask(
        { address, path: '/auth/refresh', body: { refreshToken: token } },
        200,
      );
      if (status === 200) token = (data as { refreshToken: string }).refreshToken;
      if (status === 401 || isLost) return;
      await pause(REST_MS);
    }
  }

  private async again(deed: (time: number) => Promise<unknown>): Promise<void> {
    const deeds: Promise<unknown>[] = [];
    for (let time = 0; !this.left; time++) {
      deeds.push(deed(time));
      await pause(REST_MS);
    }
    await Promise.all(deeds);
  }

  private anyAddress(): string {
    return this.environment.services[Math.floor(this.random.next() * this.environment.services.length)].address;
  }
}

import { Injectable } from '@nestjs/common';
import { addSeconds } from '../clock';
import { digestOf } from '../secret-token';
import type { MailReader } from './mail-helpers';
import { UnitOfWork } from '../database/unit-of-work';

/** The recipient and the purpose of an email. */
export interface Recipient {
  readonly address: string;
  /** The kind of email, a constant: limits and metrics count by it. */
  readonly purpose: string;
  /**
   * The object of the email when one kind is about several, for example the tenant of a payment:
   * each has its own limit.
   */
  readonly about?: string;
  /** Whether no one has ever signed in with this address. */
  readonly isNew: boolean;
  /** How the recipient reads dates; by default in UTC. */
  readonly reader?: MailReader;
  /** Who caused an email to a new address (see mailCauserHash). Unknown causes share one count. */
  readonly cause?: string;
  /**
   * On whose behalf it is sent, if strangers can cause emails of this kind: a client or a tenant.
   * One without an email to this recipient in the last day does not wait for those of others,
   * until all together have had twice the limit.
   */
  readonly sender?: string;
}

/** The state of the limits for one email. */
export interface MailAllowance {
  readonly isAllowed: boolean;
  /** Whether the mail server has rejected the address, which gets no email for a limited time. */
  readonly isSuppressed: boolean;
  /** The earliest time at which the recipient's limit allows another email. */
  readonly nextAt: Date;
  /**
   * What postpones an email to a new address in this hour: the ceiling over all, or the share of
   * its cause; null: nothing.
   */
  readonly postponedBy: 'ceiling' | 'share' | null;
}

/** What several senders may send together, as a multiple of the limit of one. */
const SENDERS = 2;
/** Number of newest emails that are remembered: as many as the longest limit counts. */
const REMEMBERED = 20 * SENDERS;

/**
 * When the next email may be sent. `sent` lists the newest emails of a recipient and purpose, the
 * newest first (docs/contract.md, Email limits): a burst of three, then one a minute; 6 an hour;
 * 20 a day.
 * @param times a multiple of these numbers
 */
const nextAt = (sent: string, times = 1) => `greatest(
    CASE WHEN (${sent})[${3 * times}] IS NULL THEN (${sent})[1]
         ELSE least((${sent})[1] + interval '1 minute', (${sent})[${3 * times}] + interval '3 minutes') END,
    (${sent})[${6 * times}] + interval '1 hour', (${sent})[${20 * times}] + interval '1 day')`;

/** When a sender may send the next email, by the row `a` of the recipient. */
const nextOf = (sender: string, now: string) => `CASE
    WHEN ${sender} IS NULL OR EXISTS (
      SELECT FROM unnest(a.sent_at, a.senders) AS sent(at, sender)
       WHERE sent.sender = ${sender} AND sent.at > ${now} - interval '1 day') THEN a.next_at
    ELSE least(a.next_at, coalesce(${nextAt('a.sent_at', SENDERS)}, ${now})) END`;

/** Emails that prove an address, which are sent to suppressed ones, too. */
const PROOFS = ['verification', 'email-change'];

/**
 * The first half of the ceiling is shared by all. Of the rest, each cause may use this part of the
 * ceiling.
 */
const SHARE = 0.02;
/** The part of the ceiling that only causes have who have no email in this hour yet. */
const FOR_FIRST = 0.25;

/** Whether the address is suppressed for this purpose. */
const IS_SUPPRESSED = `address = $1 AND until > $4 AND $3 <> ALL ('{${PROOFS.join()}}')`;

/** The part of the ceiling that a cause may use, by the row `shared`. */
const PART = `CASE WHEN "isUsed" THEN 0.5 WHEN "isFirst" THEN 1 ELSE ${1 - FOR_FIRST} END`;

/**
 * The row's lock serializes emails to one recipient, so simultaneous emails cannot exceed the
 * limit. Postponed emails do not count against the ceiling, so a cause beyond its share leaves the
 * rest to others.
 */
const TAKE = `
  WITH suppressed AS (
    SELECT FROM suppressed_addresses WHERE ${IS_SUPPRESSED}
  ), taken AS (
    INSERT INTO mail_allowances AS a (recipient_hash, purpose, sent_at, senders, next_at)
    SELECT $2, $3, ARRAY[$4::timestamptz], ARRAY[$8::text], $4::timestamptz
     WHERE NOT EXISTS (SELECT FROM suppressed)
    ON CONFLICT (recipient_hash, purpose) DO UPDATE
      SET sent_at = (excluded.sent_at || a.sent_at)[1:${REMEMBERED}],
        senders = (excluded.senders || a.senders)[1:${REMEMBERED}],
        next_at = ${nextAt('excluded.sent_at || a.sent_at')}
      WHERE ${nextOf('$8', '$4')} <= $4
    RETURNING next_at
  ), shared AS (
    INSERT INTO mail_shares AS s (hour, cause, asked) SELECT date_trunc('hour', $4::timestamptz), $6, 1 FROM taken
      WHERE $5
    ON CONFLICT (hour, cause) DO UPDATE SET asked = s.asked + 1
    RETURNING asked = 1 AS "isFirst", asked > ceil($7::float8 * ${SHARE}) AS "isUsed"
  ), counted AS (
    INSERT INTO mail_ceilings AS c (hour, asked) SELECT date_trunc('hour', $4::timestamptz), 1 FROM shared
    ON CONFLICT (hour) DO UPDATE SET asked = c.asked + 1
      WHERE c.asked < $7::float8 * (SELECT ${PART} FROM shared)
    RETURNING asked
  )
  SELECT EXISTS (SELECT FROM taken) AS "isAllowed", EXISTS (SELECT FROM suppressed) AS "isSuppressed",
         coalesce((SELECT ${nextOf('$8', '$4')} FROM mail_allowances a WHERE recipient_hash = $2 AND purpose = $3),
           $4) AS "nextAt",
         (SELECT CASE WHEN "isUsed" THEN 'share' ELSE 'ceiling' END FROM shared WHERE NOT EXISTS (SELECT
           FROM counted)) AS "postponedBy"`;

/** The limits of `TAKE`, without counting an email. */
const PEEK = `
  WITH shared AS (
    SELECT coalesce(max(asked), 0) = 0 AS "isFirst", coalesce(max(asked), 0) >= ceil($7::float8 * ${SHARE}) AS "isUsed"
      FROM mail_shares WHERE hour = date_trunc('hour', $4::timestamptz) AND cause = $6
  ), counted AS (
    SELECT coalesce(max(asked), 0) AS asked FROM mail_ceilings WHERE hour = date_trunc('hour', $4::timestamptz)
  ), waiting AS (
    SELECT coalesce((SELECT ${nextOf('$8::text', '$4::timestamptz')}
      FROM mail_allowances a WHERE recipient_hash = $2 AND purpose = $3), $4) AS "nextAt"
  )
  SELECT "nextAt" <= $4 AS "isAllowed", "nextAt",
         EXISTS (SELECT FROM suppressed_addresses WHERE ${IS_SUPPRESSED}) AS "isSuppressed",
         (SELECT CASE WHEN "isUsed" THEN 'share' ELSE 'ceiling' END FROM shared, counted
           WHERE $5 AND asked >= $7::float8 * (${PART})) AS "postponedBy"
    FROM waiting`;

const RELEASE = `
  UPDATE mail_allowances
     SET senders = ARRAY(
           SELECT sender FROM unnest(sent_at, senders) WITH ORDINALITY AS sent(at, sender, n)
            WHERE at <> $3 ORDER BY n),
       sent_at = array_remove(sent_at, $3::timestamptz),
       next_at = coalesce(${nextAt('array_remove(sent_at, $3::timestamptz)')}, $3)
   WHERE recipient_hash = $1 AND purpose = $2`;

/**
 * Counts emails in PostgreSQL, so that limits hold over all instances. Recipients are stored as
 * hashes. Suppressed addresses are stored as they are, so that operators can lift the suppression.
 */
@Injectable()
export class MailRateLimits {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Counts one email if the limits of its recipient allow it.
   * @param ceiling emails to new addresses in an hour
   */
  take(recipient: Recipient, now: Date, ceiling: number): Promise<MailAllowance> {
    return this.ask(TAKE, recipient, now, ceiling);
  }

  /** The same without counting it. */
  peek(recipient: Recipient, now: Date, ceiling: number): Promise<MailAllowance> {
    return this.ask(PEEK, recipient, now, ceiling);
  }

  private async ask(
    statement: string,
    { address, purpose, about, isNew, cause = '', sender }: Recipient,
    now: Date,
    ceiling: number,
  ): Promise<MailAllowance> {
    const parameters = [address, digestOf(address), keyOf(purpose, about), now, isNew, cause, ceiling, sender ?? null];
    const [allowance] = await this.unitOfWork.query<MailAllowance>(statement, parameters);
    return allowance;
  }

  /**
   * Removes a count: its email was not sent.
   * @param at the time that `take` was called with
   */
  async release({ address, purpose, about }: Recipient, at: Date): Promise<void> {
    await this.unitOfWork.query(RELEASE, [digestOf(address), keyOf(purpose, about), at]);
  }

  /**
   * Allows only emails that prove an address to an address for this many seconds.
   * @param reason the mail server's response
   */
  async suppress(address: string, reason: string, now: Date, seconds: number): Promise<void> {
    await this.unitOfWork.manager
      .createQueryBuilder()
      .insert()
      .into('suppressed_addresses')
      .values({ address, until: addSeconds(now, seconds), reason })
      .orUpdate(['until', 'reason'], ['address'])
      .execute();
  }

  /** Removes what is stored about the addresses of a person whose account was deleted. */
  async forget(addresses: readonly string[]): Promise<void> {
    const hashes = addresses.map(digestOf);
    const remove = () => this.unitOfWork.manager.createQueryBuilder().delete();
    await remove().from('suppressed_addresses').where('address = ANY(:addresses)', { addresses }).execute();
    await remove().from('mail_allowances').where('recipient_hash = ANY(:hashes)', { hashes }).execute();
  }
}

const keyOf = (purpose: string, about: string | undefined) => (about === undefined ? purpose : `${purpose}:${about}`);

import { Injectable } from '@nestjs/common';
import { addSeconds, MINUTE } from '../../platform/clock';
import { recordsOf } from '../../platform/database/entity-records';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { hostnameOf, ReceiverHost } from '../domain/receiver-host';

/** Seconds between two requests to a host that has never answered with 2xx. */
export const HOST_PAUSE = MINUTE;

const { columns, rowsOf, parameter } = recordsOf(ReceiverHost);

/** Takes the turn of each host that has answered before, or was not asked for a while. */
const CLAIM = `
  INSERT INTO receiver_hosts AS h (${columns}) SELECT ${columns} FROM ${rowsOf('$1')} ORDER BY host
  ON CONFLICT (host) DO UPDATE SET next_at = excluded.next_at WHERE h.answered_at IS NOT NULL OR h.next_at <= $2
  RETURNING host, answered_at IS NOT NULL AS "hasAnswered"`;

const ANSWERED = `
  INSERT INTO receiver_hosts (host, next_at, answered_at) VALUES ($1, $2, $2)
  ON CONFLICT (host) DO UPDATE SET answered_at = excluded.answered_at`;

/** Stores the budgets of hosts, which all tenants share. */
@Injectable()
export class ReceiverHostRepository extends EntityRepository<ReceiverHost> {
  constructor(unitOfWork: UnitOfWork) {
    super(ReceiverHost, unitOfWork);
  }

  /**
   * Takes turns for requests to receivers that have never answered with 2xx.
   * @returns those that may be sent now: all of a host that has answered any receiver, else one,
   * and none within a minute after the last one
   */
  async claim<R extends { readonly url: string }>(receivers: readonly R[], now: Date): Promise<Set<R>> {
    if (receivers.length === 0) return new Set();
    const nextAt = addSeconds(now, HOST_PAUSE);
    const hosts = [...new Set(receivers.map(hostnameOf))].map((host) => ReceiverHost.asked(host, nextAt));
    const rows = await this.unitOfWork.query<{ host: string; hasAnswered: boolean }>(CLAIM, [parameter(hosts), now]);
    const granted = rows.flatMap(({ host, hasAnswered }) => {
      const there = receivers.filter((receiver) => hostnameOf(receiver) === host);
      return hasAnswered ? there : there.slice(0, 1);
    });
    return new Set(granted);
  }

  /** A receiver at a host has answered with 2xx. */
  answered(receiver: { readonly url: string }, now: Date): Promise<void> {
    return this.unitOfWork.write(ANSWERED, [hostnameOf(receiver), now]);
  }
}

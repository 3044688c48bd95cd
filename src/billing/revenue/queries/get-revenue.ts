import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Between } from 'typeorm';
import { addSeconds, Clock, DAY } from '../../../platform/clock';
import { EntityReader } from '../../../platform/database/entity-reader';
import { ok, type Result } from '../../../platform/result';
import type { RevenueDayView, RevenueLineView, RevenueView } from '../../http/views/revenue.views';
import { BillingDay, dayOf, MAX_ROWS_PER_DAY, storedCurrency } from '../domain/billing-day';
import type { RevenueLine } from '../domain/revenue-line';
import { RevenueCounts } from '../services/revenue-counts';

/** Gets the revenue of today, as it is now, and of the recorded days before. */
export class GetRevenue extends Query<Result<RevenueView>> {
  constructor(readonly days: number) {
    super();
  }
}

const COUNTS = [
  'active',
  'pastDue',
  'trialing',
  'unpriced',
  'trialsStarted',
  'conversions',
  'churned',
  'churnedUnpriced',
] as const;
const AMOUNTS = ['mrr', 'pastDueMrr', 'trialMrr', 'churnedMrr'] as const;
const SELECT = ['day', 'plan', 'currency', 'recordedAt', ...COUNTS, ...AMOUNTS] as const;

@QueryHandler(GetRevenue)
export class GetRevenueHandler implements IQueryHandler<GetRevenue> {
  constructor(
    private readonly counts: RevenueCounts,
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  async execute({ days }: GetRevenue): Promise<Result<RevenueView>> {
    const now = this.clock.now();
    const [first, today] = [dayOf(addSeconds(now, -days * DAY)), dayOf(now)];
    const [lines, rows] = await Promise.all([
      this.counts.read(),
      this.reader.find(BillingDay, {
        select: SELECT,
        where: { day: Between(first, today) },
        order: { day: 'ASC', plan: 'ASC', currency: 'ASC' },
        limit: (days + 1) * MAX_ROWS_PER_DAY,
      }),
    ]);
    const stored = groupByDay(rows);
    const moved = (stored.get(today) ?? []).map(lineOf);
    stored.delete(today);
    const present = lines.map((line) => withMovements(line, moved));
    return ok({
      today: { day: today, recordedAt: now.toISOString(), lines: present.filter(hasSomething) },
      days: [...stored].map(([day, ofDay]) => dayViewOf(day, ofDay)),
    });
  }
}

type Row = Pick<BillingDay, (typeof SELECT)[number]>;

function groupByDay(rows: readonly Row[]): Map<string, Row[]> {
  const days = new Map<string, Row[]>();
  for (const row of rows) days.set(row.day, [...(days.get(row.day) ?? []), row]);
  return days;
}

function dayViewOf(day: string, rows: readonly Row[]): RevenueDayView {
  const recordedAt = rows.find((row) => row.recordedAt !== null)?.recordedAt;
  return { day, recordedAt: recordedAt?.toISOString() ?? null, lines: rows.map(lineOf).filter(hasSomething) };
}

function lineOf(row: Row): RevenueLineView {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, row[name]]));
  const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, Number(row[name])]));
  return { plan: row.plan, currency: storedCurrency(row), ...counts, ...amounts } as RevenueLineView;
}

function withMovements(line: RevenueLine, moved: readonly RevenueLineView[]): RevenueLineView {
  const own = moved.find(({ plan, currency }) => plan === line.plan && currency === line.currency);
  const { trialsStarted = 0, conversions = 0, churned = 0, churnedUnpriced = 0, churnedMrr = 0 } = own ?? {};
  return { ...line, trialsStarted, conversions, churned, churnedUnpriced, churnedMrr };
}

const hasSomething = (line: RevenueLineView): boolean => COUNTS.some((name) => line[name] > 0);

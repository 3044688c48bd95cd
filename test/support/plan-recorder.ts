import { Client } from 'pg';
import type { NoticeMessage } from 'pg-protocol/dist/messages';
import { SERVICE_ROLE } from '../../dev/service-database';
import type { TestDatabase } from './database';

/** A node of a plan (PostgreSQL documentation, EXPLAIN, FORMAT JSON). */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

interface Plan {
  readonly 'Query Text': string;
  readonly Plan: PlanNode;
}

const INDEX_READS = ['Index Scan', 'Index Only Scan', 'Bitmap Index Scan'];
/** A limit above them does not stop what they read. */
const NEEDS_ALL = ['Sort', 'Hash'];

/**
 * Records the plan of every statement of the service, also of those within functions, triggers and
 * foreign keys: auto_explain sends each plan to the connection that executed it. Create it before
 * the service connects.
 */
export class PlanRecorder {
  private readonly plans = new Map<string, Plan>();
  private readonly spy: jest.SpyInstance;

  private constructor() {
    const connect = Client.prototype.connect as (...parameters: unknown[]) => unknown;
    const record = (notice: NoticeMessage) => this.record(notice);
    this.spy = jest.spyOn(Client.prototype, 'connect').mockImplementation(function (
      this: Client,
      ...parameters: unknown[]
    ) {
      this.on('notice', record);
      return connect.apply(this, parameters);
    });
  }

  /** @param mode which plans PostgreSQL uses: for the given parameters, or one for all */
  static async start(database: TestDatabase, mode: 'force_custom_plan' | 'force_generic_plan'): Promise<PlanRecorder> {
    for (const [name, value] of Object.entries({
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_nested_statements': 'on',
      'auto_explain.log_format': 'json',
      'auto_explain.log_level': 'notice',
      'auto_explain.log_parameter_max_length': '0',
      plan_cache_mode: mode,
    }))
      await database.query(`ALTER ROLE ${SERVICE_ROLE} IN DATABASE ${database.name} SET ${name} = '${value}'`);
    return new PlanRecorder();
  }

  /** How many different statements were executed. */
  get statements(): number {
    return new Set([...this.plans.values()].map((plan) => plan['Query Text'])).size;
  }

  stop(): void {
    this.spy.mockRestore();
  }

  /** The statements that read all of one of these tables or indexes. */
  readingAll(large: ReadonlySet<string>): string[] {
    const found = [...this.plans.values()].flatMap((plan) =>
      wholeReads(plan.Plan, large).map((read) => `${read}: ${plan['Query Text'].replace(/\s+/g, ' ').trim()}`),
    );
    return [...new Set(found)].sort();
  }

  private record({ message = '' }: NoticeMessage): void {
    const [duration, json] = message.split(/ plan:\n/, 2);
    if (!json || !duration.startsWith('duration:')) return;
    const plan = JSON.parse(json) as Plan;
    this.plans.set(`${plan['Query Text']} ${shapeOf(plan.Plan)}`, plan);
  }
}

/** The kinds of a plan's nodes, with what they read: estimates differ between executions. */
function shapeOf(node: PlanNode): string {
  const read = node['Relation Name'] ?? node['Index Name'] ?? '';
  return `${node['Node Type']} ${read}(${(node.Plans ?? []).map(shapeOf).join()})`;
}

function wholeReads(node: PlanNode, large: ReadonlySet<string>, isLimited = false): string[] {
  const { 'Node Type': type, Plans: parts = [] } = node;
  const limited = type === 'Limit' || (isLimited && !NEEDS_ALL.includes(type));
  const read = wholeRead(node, limited);
  const own = read !== undefined && large.has(read) ? [`${type} of all of ${read}`] : [];
  return [...own, ...parts.flatMap((part) => wholeReads(part, large, limited))];
}

/**
 * The table or index that a node reads as a whole. A page reads an index until it has enough rows.
 */
function wholeRead(node: PlanNode, isLimited: boolean): string | undefined {
  if (node['Node Type'] === 'Seq Scan') return node['Relation Name'];
  const isPart = node['Index Cond'] !== undefined || isLimited;
  return INDEX_READS.includes(node['Node Type']) && !isPart ? node['Index Name'] : undefined;
}

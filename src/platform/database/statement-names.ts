import { createHash } from 'node:crypto';

/** The execution at which a statement gets a name: what runs rarely is not worth the memory. */
const EXECUTIONS = 5;

/** Most names, because PostgreSQL keeps each statement's plan in every connection that used it. */
const MAX_NAMES = 300;

/** Most statements whose executions are counted; counting restarts when there are more. */
const MAX_COUNTED = 2000;

/** Most names of one statement. Behind a pooler that keeps no prepared statements, none works. */
const MAX_NAMES_OF_STATEMENT = 10;
/** Instead of a name: the statement is sent without one. */
const UNNAMED = '';

/**
 * Names the statements that a process sends often. PostgreSQL parses and plans an unnamed statement
 * each time, and a named one once for each connection (PostgreSQL documentation, Extended Query).
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  /** How often statements got another name. */
  private readonly renewals = new Map<string, number>();
  private readonly executions = new Map<string, number>();

  /** Counts one execution of a statement. @returns its name; undefined: it is sent without */
  nameOf(sql: string): string | undefined {
    const name = this.names.get(sql);
    if (name !== undefined || this.names.size === MAX_NAMES) return name || undefined;
    const executed = (this.executions.get(sql) ?? 0) + 1;
    if (executed < EXECUTIONS) {
      if (this.executions.size >= MAX_COUNTED) this.executions.clear();
      this.executions.set(sql, executed);
      return undefined;
    }
    this.executions.delete(sql);
    return this.add(sql, sql);
  }

  /**
   * Gives a statement another name, because connections know a plan under its name that can no
   * longer be used. After ten names it has none.
   */
  renew(sql: string, name: string): void {
    if (this.names.get(sql) !== name) return; // another connection has reported it
    const renewals = (this.renewals.get(sql) ?? 0) + 1;
    this.renewals.set(sql, renewals);
    if (renewals < MAX_NAMES_OF_STATEMENT) this.add(sql, `${name} ${sql}`);
    else this.names.set(sql, UNNAMED);
  }

  /** The name follows from the text, so that all connections and processes use the same one. */
  private add(sql: string, source: string): string {
    const name = createHash('sha256').update(source).digest('hex').slice(0, 32);
    this.names.set(sql, name);
    return name;
  }
}

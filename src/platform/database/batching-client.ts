import type { ClientBase, ClientConfig, QueryResult } from 'pg';
import { ClientWithTimeout, pipeline } from './pg-client-with-timeout';

/** A statement to send together with the next one. */
export interface HeldStatement {
  readonly sql: string;
  readonly parameters?: unknown[];
  /** Called when it is sent. */
  readonly onSend?: () => void;
}

/** A client that can hold statements back until the next one. */
export interface Batching extends ClientBase {
  /** How many statements are held. */
  readonly heldStatements: number;
  /**
   * Sends a statement in one packet with the next one that the client sends, before it.
   * @param position before which of the held statements; absent: after all
   * @returns the result, once it was sent
   */
  hold(statement: HeldStatement, position?: number): Promise<QueryResult>;
  /** Forgets the statements that are held. Their results never arrive. */
  forget(): void;
}

/**
 * Sends statements whose results nobody waits for together with the next one, which saves a round
 * trip for each. Statements are executed in the order in which they were given.
 */
export class BatchingClient extends ClientWithTimeout implements Batching {
  private held: (() => void)[] = [];

  constructor(config?: string | ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = ((...parameters: unknown[]) =>
      this.held.length === 0
        ? send(...parameters)
        : pipeline(this, () => {
            this.sendHeld();
            return send(...parameters);
          })) as typeof this.query;
  }

  get heldStatements(): number {
    return this.held.length;
  }

  hold({ sql, parameters, onSend }: HeldStatement, position = this.held.length): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const send = () => {
        onSend?.();
        this.query(sql, parameters).then(resolve, reject);
      };
      this.held.splice(position, 0, send);
    });
  }

  forget(): void {
    this.held = [];
  }

  private sendHeld(): void {
    const held = this.held;
    this.held = [];
    for (const send of held) send();
  }
}

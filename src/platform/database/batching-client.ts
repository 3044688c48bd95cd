import type { ClientBase, ClientConfig, QueryResult } from 'pg';
import { ClientWithTimeout, pipeline } from './pg-client-with-timeout';

/** A client that can hold statements back until the next one. */
export interface Batching extends ClientBase {
  /**
   * Sends a statement in one packet with the next one that the client sends, before it.
   * @returns the result, once it was sent
   */
  hold(sql: string, parameters?: unknown[]): Promise<QueryResult>;
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

  hold(sql: string, parameters?: unknown[]): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      this.held.push(() => {
        this.query(sql, parameters).then(resolve, reject);
      });
    });
  }

  forget(): void {
    this.held = [];
  }

  private sendHeld(): void {
    const held = this.held;
    this.held = [];
    for (const sendOne of held) sendOne();
  }
}

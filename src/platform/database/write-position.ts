import type { ClientBase } from 'pg';

/**
 * The form of a position in PostgreSQL's write-ahead log (type pg_lsn). Its slash is in brackets:
 * generators of clients copy an escaped one into code in which it is none.
 */
export const POSITION_FORM = /^[0-9A-F]{1,8}[/][0-9A-F]{1,8}$/;

/** Whether a text is a position in the write-ahead log. It is then safe within a statement. */
export const isPosition = (text: unknown): text is string => typeof text === 'string' && POSITION_FORM.test(text);

/** The position behind everything written so far, also what is not on the disk yet. */
const CURRENT = 'SELECT pg_current_wal_insert_lsn()::text AS position';

/** The position in the write-ahead log behind the writes of one request. */
export class WritePosition {
  private position?: string;
  private isUnknown = false;

  /** After a write whose position was not read together with it. */
  forget(): void {
    this.isUnknown = true;
  }

  /**
   * Reads the position on the primary; sent in one packet with a write, behind it. Writes on
   * several connections are answered in any order: the last position counts.
   */
  async read(client: Pick<ClientBase, 'query'>): Promise<void> {
    try {
      const [{ position }] = (await client.query<{ position: string }>(CURRENT)).rows;
      if (this.position === undefined || valueOf(position) > valueOf(this.position)) this.position = position;
    } catch {
      this.isUnknown = true; // the write itself reports the lost connection
    }
  }

  /** @returns the position; undefined: the request has written nothing */
  async latest(primary: () => Pick<ClientBase, 'query'>): Promise<string | undefined> {
    if (this.isUnknown) await this.read(primary());
    return this.position;
  }
}

function valueOf(position: string): bigint {
  const [high, low] = position.split('/').map((half) => BigInt(`0x${half}`));
  return (high << 32n) + low;
}

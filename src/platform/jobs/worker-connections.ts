import { Pool, type PoolClient } from 'pg';
import { streamOf, withClientTimeout } from '../database/pg-client-with-timeout';
import { withTimeout } from '../timeout';

type Release = (reason?: Error | boolean) => void;
type Connected = (error: Error | undefined, client: PoolClient | undefined, release: Release | undefined) => void;

/** Milliseconds that connections may take to close. */
const CLOSE_MS = 1000;

/**
 * The connections of the job worker. Tolerates that graphile-worker 0.17 releases its listening
 * connection twice when it breaks while stopping; the second release would be an unhandled
 * rejection.
 */
export class WorkerConnections extends Pool {
  private readonly open = new Set<PoolClient>();

  /** @param max most connections */
  constructor(url: string, max: number) {
    super({ ...withClientTimeout, connectionString: url, max });
    const ignore = () => undefined; // the runner reports failures; a broken connection is replaced
    this.on('error', ignore).on('connect', (client) => this.open.add(client.on('error', ignore)));
    this.on('remove', (client) => this.open.delete(client));
    const connect = this.connect.bind(this) as (done?: Connected) => Promise<PoolClient>;
    this.connect = ((done?: Connected) => {
      if (!done) return connect();
      void connect((error, client, release) => done(error, client, release && once(release)));
      return undefined;
    }) as typeof this.connect;
  }

  /** Closes every connection, used or not, whether or not the server responds. */
  async close(): Promise<void> {
    await withTimeout(CLOSE_MS, this.end()).catch(() => undefined);
    for (const client of this.open) streamOf(client).destroy();
  }
}

function once(release: Release): Release {
  let released = false;
  return (reason) => {
    if (!released) release(reason);
    released = true;
  };
}

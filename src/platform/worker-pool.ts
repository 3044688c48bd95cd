import { Pool, type PoolClient } from 'pg';
import { impatient } from './impatient-client';

type Release = (reason?: Error | boolean) => void;
type Connected = (error: Error | undefined, client: PoolClient | undefined, release: Release | undefined) => void;

/**
 * The job worker's own connections. They forgive what graphile-worker 0.17 does when one breaks while it stops: it gives its listening connection
 * back twice, and the second time would end the process as an unhandled rejection.
 */
export function workerPool(url: string, max: number): Pool {
  const pool = new Pool({ ...impatient, connectionString: url, max });
  const ignore = () => undefined; // the runner reports what matters; a broken connection is replaced
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  const connect = pool.connect.bind(pool) as (done?: Connected) => Promise<PoolClient>;
  pool.connect = ((done?: Connected) =>
    done ? void connect((error, client, release) => done(error, client, release && once(release))) : connect()) as typeof pool.connect;
  return pool;
}

function once(release: Release): Release {
  let released = false;
  return (reason) => {
    if (!released) release(reason);
    released = true;
  };
}

import { Pool, type PoolClient } from 'pg';
import { streamOf } from '../src/platform/database/pg-client-with-timeout';
import { CONNECTIONS } from './driver-connections';

/** A connection for each client of the driver, so that no request waits for one. */
export const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: CONNECTIONS });

let pipelinedPool: Pool | undefined;

/** Connections that send statements without waiting for the results of earlier ones. */
export const pipelined = () =>
  (pipelinedPool ??= new Pool({ connectionString: process.env.DATABASE_URL, max: CONNECTIONS, pipeline: true }));

/** Sends all statements that `ask` starts in one packet. */
export function pipeline<T>(client: PoolClient, ask: () => T): T {
  const stream = streamOf(client);
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
}

/** A prepared statement: PostgreSQL parses it once for each connection. */
export const prepared =
  <Row extends object>(name: string, text: string) =>
  async (...values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ name, text, values })).rows;

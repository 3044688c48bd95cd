import { Pool } from 'pg';
import { CONNECTIONS } from './driver-connections';

/** A connection for each client of the driver, so that no request waits for one. */
export const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: CONNECTIONS });

let pipelinedPool: Pool | undefined;

/** Connections that send statements without waiting for the results of earlier ones. */
export const pipelined = () =>
  (pipelinedPool ??= new Pool({ connectionString: process.env.DATABASE_URL, max: CONNECTIONS, pipeline: true }));

/** A prepared statement: PostgreSQL parses it once for each connection. */
export const prepared =
  <Row extends object>(name: string, text: string) =>
  async (...values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ name, text, values })).rows;

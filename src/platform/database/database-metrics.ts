import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';

/**
 * Registers gauges of the connection pool.
 * @param pool the pool when the metrics are read; undefined before the first connection
 */
export function observePool(registry: Registry, pool: () => Pool | undefined): void {
  new Gauge({
    name: 'database_pool_waiting',
    help: 'Requests that wait for a database connection',
    registers: [registry],
    collect() {
      this.set(pool()?.waitingCount ?? 0);
    },
  });
  new Gauge({
    name: 'database_pool_connections',
    help: 'Open database connections, by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { totalCount = 0, idleCount = 0 } = pool() ?? {};
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'busy' }, totalCount - idleCount);
    },
  });
}

import type { DataSource } from 'typeorm';
import type { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
import { ReadReplica } from './read-replica';

const failing = (message: string) => () => Promise.reject(new Error(message));

describe('A read replica', () => {
  let replica: ReadReplica;
  const warn = jest.fn();
  beforeEach(async () => {
    warn.mockReset();
    const source = { isInitialized: true, destroy: () => Promise.resolve() } as unknown as DataSource;
    replica = new ReadReplica(source, () => Promise.resolve(), new Metrics(), { warn, info: warn } as unknown as Log);
    await replica.start();
  });
  afterEach(() => replica.stop());

  it('stays in use when no connection of the pool was free for one query', async () => {
    expect(await replica.read(failing('timeout exceeded when trying to connect'))).toBeUndefined();
    expect(await replica.read(() => Promise.resolve('row'))).toBe('row');
    expect(warn).not.toHaveBeenCalled();
  });

  it('is not asked again at once when its connection was lost', async () => {
    expect(await replica.read(failing('Connection terminated unexpectedly'))).toBeUndefined();
    expect(await replica.read(() => Promise.resolve('row'))).toBeUndefined();
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ event: 'database.replica_lost' }), expect.any(String));
  });
});

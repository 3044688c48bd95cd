import '../../src/serve';
import { TestApp } from '../support/app';

/** Libraries that take memory, and that only some requests need. */
const LAZY = ['@simplewebauthn/server', '@zxcvbn-ts/language-common', 'sharp'];
/** Those of Redis, which is optional. */
const REDIS = ['@keyv/redis', '@redis/client', 'redis'];

const mockRedis = jest.fn<object, []>(() => jest.requireActual('redis'));
jest.mock('redis', () => mockRedis());

/** Those of the names that this test file has loaded, with whatever it imports. */
const loaded = (names: readonly string[]) =>
  names.filter((name) => Object.keys(require.cache).some((file) => file.includes(`/node_modules/${name}/`)));

/** Nothing needs to listen there: the service starts without Redis, and tries again. */
const REDIS_URL = 'redis://127.0.0.1:1';

const start = async (env: NodeJS.ProcessEnv = {}) => (await TestApp.start({ env })).close();

describe('A start', () => {
  it('loads no library that few requests need, nor those of optional services', async () => {
    await start();
    expect(loaded([...LAZY, ...REDIS])).toEqual([]);
    expect(loaded(['typeorm'])).toEqual(['typeorm']);
  });

  it('is refused if REDIS_URL is set and its client cannot be loaded', async () => {
    mockRedis.mockImplementationOnce(() => {
      throw new Error("Cannot find module 'redis'");
    });
    await expect(start({ REDIS_URL })).rejects.toThrow("Cannot find module 'redis'");
  });

  it('loads the libraries of Redis if REDIS_URL is set', async () => {
    await start({ REDIS_URL });
    expect(loaded([...LAZY, ...REDIS])).toEqual(REDIS);
  });
});

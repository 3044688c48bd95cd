import '../../src/serve';
import { TestApp } from '../support/app';

/** Libraries that take memory, and that only some requests need. */
const LAZY = ['@simplewebauthn/server', '@zxcvbn-ts/core', '@zxcvbn-ts/language-common', 'sharp'];
/** Settings, and the libraries that they need. No service has to answer at the address. */
const CONFIGURED = [
  [{ PROCESSOR_SECRET_KEY: 'sk_test_1' }, ['stripe']],
  [{ PROCESSOR_WEBHOOK_SECRET: 'whsec_1' }, ['stripe']],
  [{ REDIS_URL: 'redis://127.0.0.1:1' }, ['redis', '@redis/client', '@keyv/redis']],
] as const;

/** Those of the libraries that this test file has loaded, with whatever it imports. */
const loaded = (libraries: readonly string[]) =>
  libraries.filter((library) => Object.keys(require.cache).some((file) => file.includes(`/node_modules/${library}/`)));

describe('A start', () => {
  let first: TestApp;
  beforeAll(async () => (first = await TestApp.start()));
  afterAll(() => first.close());

  const start = async (env: NodeJS.ProcessEnv) => (await TestApp.start({ beside: first, env })).close();

  it('loads no library that few requests need, or that a setting would need', () => {
    expect(loaded([...LAZY, ...CONFIGURED.flatMap(([, libraries]) => libraries)])).toEqual([]);
    expect(loaded(['typeorm'])).toEqual(['typeorm']);
  });

  it.each(CONFIGURED)('with %j loads %j, and is refused if that fails', async (setting, libraries) => {
    const missing = `Cannot find module '${libraries[0]}'`;
    jest.doMock(libraries[0], () => {
      throw new Error(missing);
    });
    await expect(start(setting)).rejects.toThrow(missing);
    jest.dontMock(libraries[0]);
  });

  it('with all of these settings loads their libraries', async () => {
    await start(Object.assign({}, ...CONFIGURED.map(([setting]) => setting)) as NodeJS.ProcessEnv);
    const libraries = CONFIGURED.flatMap(([, needed]) => needed);
    expect(loaded(libraries)).toEqual(libraries);
  });
});

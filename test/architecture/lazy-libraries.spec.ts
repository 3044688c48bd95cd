import '../../src/serve';
import { TestApp } from '../support/app';

/** Libraries that take memory, and that only some processes or requests need. */
const LAZY = ['@simplewebauthn/server', 'sharp'];

/** Those of the names that this test file has loaded, with whatever it imports. */
const loaded = (names: readonly string[]) =>
  names.filter((name) => Object.keys(require.cache).some((file) => file.includes(`/node_modules/${name}/`)));

describe('A start', () => {
  it('loads no library that few requests need', async () => {
    const t = await TestApp.start();
    await t.close();
    expect(loaded(LAZY)).toEqual([]);
    expect(loaded(['typeorm'])).toEqual(['typeorm']);
  });
});

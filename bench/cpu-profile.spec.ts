import { packageOf, timeOf, type CpuProfile } from './cpu-profile';

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber });

/** A service file that calls JSON.stringify, a package, idle time and the profiler. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 4, 5, 6] },
    { id: 2, callFrame: frame('get', 'file:///app/dist/src/auth/queries/get-me.js', 9), children: [3] },
    { id: 3, callFrame: frame('stringify') },
    { id: 4, callFrame: frame('send', '/app/node_modules/express/lib/response.js', 125) },
    { id: 5, callFrame: frame('(idle)') },
    { id: 6, callFrame: frame('post', 'node:inspector') },
  ],
  samples: [2, 3, 3, 4, 5, 6],
  timeDeltas: [10, 20, 5, 40, 1000, 1000],
};

describe('time of a CPU profile', () => {
  it('counts a built-in function for the package that called it', () => {
    expect([...timeOf(profile).packages]).toEqual([
      ['src/auth', 35],
      ['express', 40],
    ]);
  });

  it('names functions by package, file and line', () => {
    expect([...timeOf(profile).functions]).toEqual([
      ['get src/auth get-me.js:10', 10],
      ['stringify src/auth', 25],
      ['send express response.js:126', 40],
    ]);
  });

  it.each([
    ['node:net', 'node'],
    ['/app/node_modules/@nestjs/core/router/router-proxy.js', '@nestjs/core'],
    ['/app/node_modules/pg/node_modules/pg-types/index.js', 'pg-types'],
    ['/app/dist/src/http/access/actor.js', 'src/http'],
    ['/app/dist/bench/profiler.js', 'other'],
  ])('names the package of %s', (url, name) => {
    expect(packageOf(url)).toBe(name);
  });
});

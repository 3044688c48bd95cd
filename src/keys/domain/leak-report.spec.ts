import { leakedTokensIn } from './leak-report';

const reported = (...items: unknown[]) => leakedTokensIn(JSON.stringify(items));

describe('A report of leaked tokens', () => {
  it('has tokens with the page at GitHub where they were found', () => {
    const url = 'https://github.com/octocat/Hello-World/blob/main/foo.txt';
    expect(reported({ token: 'a', type: 'key', url, source: 'commit' })).toEqual([
      { token: 'a', url, source: 'commit' },
    ]);
  });

  it.each([
    'http://github.com/octocat',
    'https://github.com.evil.example/',
    'https://evil.example/github.com',
    'https://github.com@evil.example/',
    'javascript:alert(1)',
    'not a url',
    `https://github.com/${'x'.repeat(500)}`,
    7,
    undefined,
  ])('names no other page: %s', (url) =>
    expect(reported({ token: 'a', url })).toEqual([{ token: 'a', url: null, source: null }]),
  );

  it('may contain what is no token', () => {
    expect(reported(null, 1, 'a', {}, { token: 1 }, [])).toEqual([]);
    expect(reported({ token: 'a', source: '<b>' })).toEqual([{ token: 'a', url: null, source: null }]);
  });

  it.each(['', '{', '{}', '"a"', 'null', `[${'{},'.repeat(1000)}{}]`])('is a list of at most 1000: %.20s', (body) =>
    expect(leakedTokensIn(body)).toBeUndefined(),
  );
});

import { problemOfName, tidyName } from './name-rules';

describe('a name', () => {
  it.each([
    ['Owner\u200b', /invisible/],
    ['\u202eadmin', /invisible/],
    ['Ada\u2028Lovelace', /invisible/],
    ['Ada\u2029', /invisible/],
    ['\ufeffAda', /invisible/],
    ['Ada \ud800', /invisible/],
    ['Confirm at https://evil.example/login', /addresses/],
    ['see WWW.evil.example', /addresses/],
  ])('%j is refused', (name, reason) => {
    expect(problemOfName(name)).toMatch(reason);
    expect(problemOfName(tidyName(name))).toBeUndefined();
  });

  const valid = [
    'Ada Lovelace',
    "Renée O'Hara-Müller",
    '山田 太郎',
    'عائشة',
    '🐴 & Sons',
    'Acme: the 1st / 2nd',
    'Swww',
  ];
  it.each(valid)('%j is accepted', (name) => {
    expect(problemOfName(name)).toBeUndefined();
    expect(tidyName(name)).toBe(name);
  });
});

import {
  cleanName,
  comparable,
  nameFromEmail,
  problemOfLabel,
  problemOfName,
  problemOfText,
  tidyText,
} from './typed-text';

const INVISIBLE = /invisible/;
const BLANK = /letter, a digit or an emoji/;
const MIXED = /several scripts/;
const ADDRESS = /web addresses/;

describe('a name of a person, tenant or role', () => {
  it.each([
    ['a zero-width space', 'Owner\u200b', INVISIBLE],
    ['a zero-width joiner between Latin letters', 'Ow\u200dner', INVISIBLE],
    ['a zero-width non-joiner between Latin letters', 'Ow\u200cner', INVISIBLE],
    ['a non-joiner after an Arabic letter that never joins', 'دا\u200cنش', INVISIBLE],
    ['a non-joiner at the end of a Persian word', 'کتاب\u200c', INVISIBLE],
    ['a joiner after a letter without a virama', 'क\u200dष', INVISIBLE],
    ['a joiner at the end of an emoji', '👩\u200d', INVISIBLE],
    ['a variation selector after a letter', 'Owner\ufe0f', INVISIBLE],
    ['a variation selector after a digit', 'Team 1\ufe0f', INVISIBLE],
    ['a variant of a letter that has none', 'Owner\u{e0100}', INVISIBLE],
    ['hidden tags after an emoji', '👍\u{e0068}\u{e0069}', INVISIBLE],
    ['a change of direction', '\u202eadmin', INVISIBLE],
    ['an isolated direction', '\u2066admin', INVISIBLE],
    ['a break of the line', 'Ada\u2028Lovelace', INVISIBLE],
    ['a byte order mark', 'A\ufeffda', INVISIBLE],
    ['a soft hyphen', 'Ada\u00ad', INVISIBLE],
    ['a joiner of graphemes', 'Owner\u034f', INVISIBLE],
    ['a blank Hangul letter', '\u3164', INVISIBLE],
    ['a leading Hangul filler', '\u115f', INVISIBLE],
    ['a half-width Hangul filler', '\uffa0', INVISIBLE],
    ['a blank Braille pattern', '\u2800', INVISIBLE],
    ['half of a character', 'Ada \ud800', INVISIBLE],
    ['a private character', '\ue000', INVISIBLE],
    ['an unassigned character', '\u0378', INVISIBLE],
    ['punctuation only', '—!?', BLANK],
    ['a mark without a letter', '\u0301', BLANK],
    ['a Cyrillic letter in a Latin word', 'Оwner', MIXED],
    ['a Greek letter in a Latin word', 'Admιn', MIXED],
    ['a Latin letter in a Cyrillic word', 'Aнна', MIXED],
    ['an Armenian letter in a Latin word', 'Owոer', MIXED],
    ['Hangul and Hiragana in one word', '한の', MIXED],
    ['a Gothic and a Latin letter', '𐌰da', MIXED],
    ['a web address', 'Confirm at https://evil.example/login', ADDRESS],
    ['the name of a web server', 'see WWW.evil.example', ADDRESS],
    ['a domain', 'Security team evil.com', ADDRESS],
    ['a domain and a path', 'Payroll: confirm at evil-payroll.example/login', ADDRESS],
    ['a domain in capitals', 'EVIL.COM', ADDRESS],
    ['a domain before punctuation', 'Go to evil.com, now', ADDRESS],
    ['a domain before a hyphen', 'evil.com-login', ADDRESS],
    ['a domain in full-width letters', 'ｅｖｉｌ．ｃｏｍ', ADDRESS],
    ['a domain in another script', 'злой.рф', ADDRESS],
    ['a domain in Punycode', 'evil.xn--p1ai', ADDRESS],
    ['a domain with an ideographic dot', 'evil。com', ADDRESS],
    ['an email address', 'billing@evil.com', ADDRESS],
    ['a short domain with a path', 't.me/evil', ADDRESS],
  ])('is refused with %s', (_what, name, reason) => expect(problemOfName(tidyText(name))).toMatch(reason));

  it.each([
    'Ada Lovelace',
    "Renée O'Hara-Müller",
    '山田 太郎',
    'みなとTokyo株式会社',
    '辻\u{e0100}さん',
    '김민준 Kim',
    '陳大文',
    'عائشة',
    'می\u200cخواهم',
    'فروشگاه کتاب\u200cها',
    'हिन्दी',
    'क्\u200dष',
    'ന്\u200d',
    'ශ්\u200dරී ලංකා',
    'র\u200d্যাব',
    'สมชาย',
    'Οδυσσέας',
    'Юлия Ivanova-Петрова',
    'Łukasz Ńowak',
    '𐌰𐌱',
    '👩\u200d👩\u200d👧\u200d👦',
    'Team 🏳️\u200d🌈',
    '🏴\u200d☠️ Pirates',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '🇩🇪',
    '❤️',
    '👍🏽',
    '⛹🏻\u200d♀️',
    '1️⃣ #️⃣ *⃣',
    '🐴 & Sons',
    'Acme: the 1st / 2nd',
    'Swww',
    'Dr. Smith',
    'Dr.Smith',
    'St. John',
    'St.Gallen',
    'Acme Inc.',
    'Acme Inc., Ltd.',
    'Node.js',
    'Ruby on Rails 7.1',
    'J.R.R. Tolkien',
    'Anna Schmidt, M.Sc.',
    'Verein e.V.',
    'U.S.A.',
    'C++',
    '№ 7',
    '7',
  ])('%j is accepted and kept', (name) => {
    expect(problemOfName(tidyText(name))).toBeUndefined();
    expect(tidyText(name)).toBe(name);
    expect(cleanName(name, 100)).toBe(name);
  });
});

describe('the name of a project, key or passkey', () => {
  it.each(['booking.com', 'api.example.org'])('may be a domain: %s', (name) => {
    expect(problemOfLabel(name)).toBeUndefined();
    expect(problemOfName(name)).toMatch(ADDRESS);
  });

  it.each([
    ['https://booking.com', ADDRESS],
    ['www.booking.com', ADDRESS],
    ['Pаyroll', MIXED],
    ['\u3164', INVISIBLE],
    ['...', BLANK],
  ])('is refused as %j', (name, reason) => expect(problemOfLabel(name)).toMatch(reason));
});

describe('a line of text', () => {
  it.each(['', '—', 'Ticket 4711: see https://example.com', 'Яндекс-test, Pаy'])('may be %j', (text) =>
    expect(problemOfText(text)).toBeUndefined(),
  );

  it.each(['\u202eok', 'a\u200bb', '\u2800'])('is refused as %j', (text) =>
    expect(problemOfText(text)).toMatch(INVISIBLE),
  );

  it.each([
    ['  Ada\u00a0 Lovelace\u3000', 'Ada Lovelace'],
    ['Rene\u0301e', 'Ren\u00e9e'],
    ['Ａｄａ', 'Ａｄａ'],
  ])('%j is stored as %j', (text, stored) => expect(tidyText(text)).toBe(stored));
});

describe('a name of a provider', () => {
  it.each([
    ['Owner\u200b', 'Owner'],
    ['Ada\u2028Lovelace', 'Ada Lovelace'],
    ['Ada\u0000\tLovelace', 'Ada Lovelace'],
    ['\u202eAda', 'Ada'],
    ['see https://evil.com', 'see https evil com'],
    ['www.evil.org', 'www evil org'],
    ['evil．com', 'evil com'],
    ['\u3164', ''],
    ['Аda', ''],
    ['!!!', ''],
  ])('%j becomes %j', (name, cleaned) => expect(cleanName(name, 100)).toBe(cleaned));

  it('is cut between characters, without the half of an emoji', () => {
    expect(cleanName(`${'a'.repeat(98)}👩\u200d👧`, 100)).toBe(`${'a'.repeat(98)}👩`);
  });

  it.each([
    ['ada.lovelace@example.com', 'ada.lovelace'],
    ['evil.com@example.com', 'evil com'],
    ['!!!@example.com', 'User'],
  ])('is replaced by the part before the @ of %s: %s', (email, name) => expect(nameFromEmail(email)).toBe(name));
});

describe('texts that are compared', () => {
  it.each([
    ['Ｓｕｐｐｏｒｔ', 'support'],
    ['Ⓢupport', 'support'],
    ['ﬁnance', 'FINANCE'],
    ['❤️', '❤'],
    ['می\u200cخواهم', 'میخواهم'],
  ])('%j and %j are equal', (a, b) => expect(comparable(a)).toBe(comparable(b)));

  it('differ in a letter or an accent', () => {
    expect(comparable('Soporte')).not.toBe(comparable('Support'));
    expect(comparable('Résumé')).not.toBe(comparable('Resume'));
  });
});

describe('the longest body', () => {
  it.each(['a', 'é', 'ж.', '\u200c', '👩\u200d', 'ب\u0650\u200c', '.', 'a.'])('of %j is decided in no time', (part) => {
    const text = part.repeat(Math.ceil(100_000 / part.length));
    const start = process.cpuUsage();
    problemOfName(tidyText(text));
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
  });
});

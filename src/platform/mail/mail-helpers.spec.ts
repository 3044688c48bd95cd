import Handlebars from 'handlebars';
import { MAIL_HELPERS, type MailReader } from './mail-helpers';

const environment = Handlebars.create();
environment.registerHelper(MAIL_HELPERS);
const at = '2026-03-29T22:30:00.000Z';
const written = (template: string, reader: MailReader) => environment.compile(template)({ at, reader });

describe('dates in emails', () => {
  it.each<[string, MailReader, string]>([
    ['in UTC for those who chose nothing', {}, 'March 29, 2026 at 10:30 PM UTC'],
    ['in the time zone of the recipient', { timeZone: 'Europe/Berlin' }, 'March 30, 2026 at 12:30 AM GMT+2'],
    ['in the English of the recipient', { language: 'en-GB' }, '29 March 2026 at 22:30 UTC'],
    ['in English for other languages', { language: 'de', timeZone: null }, 'March 29, 2026 at 10:30 PM UTC'],
  ])('are %s', (_, reader, expected) => {
    expect(written('{{time at}}', reader)).toBe(expected);
  });

  it('name the day that it is in the time zone of the recipient', () => {
    expect(written('{{day at}}', {})).toBe('March 29, 2026');
    expect(written('{{day at}}', { timeZone: 'Asia/Tokyo' })).toBe('March 30, 2026');
  });

  it('are formatted in the blocks of a template as well', () => {
    const [template, root] = ['{{#each times}}{{time this}}{{/each}}', { times: [at], reader: { language: 'en-GB' } }];
    expect(environment.compile(template)(root)).toBe('29 March 2026 at 22:30 UTC');
  });
});

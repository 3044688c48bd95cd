import { readdirSync } from 'node:fs';
import { findMails } from '../../dev/mail-gallery';
import type { Mail } from '../../src/platform/mail/mail-definition';
import { MailRenderer } from '../../src/platform/mail/mail-renderer';
import { invitationMail } from '../../src/tenants/mails/invitation.mail';

const HOSTILE = `<img src=x onerror="alert('1')"><link rel="stylesheet" href="layout.hbs">`;
const isTime = (value: string) => !Number.isNaN(Date.parse(value));

/** The variables with hostile text in place of each text that is not a time. */
function hostile(value: unknown): unknown {
  if (typeof value === 'string') return isTime(value) ? value : HOSTILE;
  if (Array.isArray(value)) return value.map(hostile);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hostile(inner)]));
}

const templateFiles = () =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/]+(\/[^/]+)?\/mails\/[^/]+\.hbs$/.test(file))
    .map((file) => file.replace(/\.hbs$/, ''));

const count = (text: string, part: string) => text.split(part).length - 1;
const urlOf = ({ variables }: Mail) => (variables as { url: string }).url;
/** Whether an email shows a code in place of a button. */
const isCode = ({ variables }: Mail) => 'code' in variables && !('url' in variables);
const renderer = new MailRenderer();

describe('mails', () => {
  let examples: Mail[];
  beforeAll(async () => {
    examples = (await findMails()).flatMap((mail) => mail.examples().map(({ mail: example }) => example));
  });

  it('have one definition, with a sample, for each template', async () => {
    const templates = (await findMails()).map(({ template }) => template);
    expect(templates.length).toBeGreaterThanOrEqual(18);
    expect(templates.sort()).toEqual(templateFiles().sort());
  });

  it('render their examples without a gap', () => {
    for (const example of examples) {
      const { subject, html, text } = renderer.render(example);
      for (const part of [subject, html, text]) expect(part).not.toMatch(/undefined|null|NaN|\[object|\{\{|\}\}/);
      expect(text).toMatch(/^(Hi .+|Hello),\n\n/);
    }
  });

  it('have one button, its link once in the text, or a code, and one reason why they were sent', () => {
    for (const example of examples) {
      const { html, text } = renderer.render(example);
      if (isCode(example)) {
        const codes = [count(html, 'class="code"'), text.match(/\n\d{6}\n/g)?.length, count(html, 'class="button"')];
        expect([example.template, ...codes]).toEqual([example.template, 1, 1, 0]);
        continue;
      }
      const links = [count(html, 'class="button"'), count(text, `:\n${urlOf(example)}\n`), count(text, urlOf(example))];
      const reasons = [count(html, 'class="rule"'), text.match(/You receive(d)? this email because /g)?.length];
      expect([example.template, ...links, ...reasons]).toEqual([example.template, 1, 1, 1, 1, 1]);
    }
  });

  it('escape every text in HTML, and leave it as it is in the text part', () => {
    let shown = 0;
    for (const example of examples) {
      const { html, text } = renderer.render({ ...example, variables: hostile(example.variables) as object });
      expect(html).not.toMatch(/<img|<link|onerror="/);
      expect(text).not.toContain('<style>');
      shown += count(text, HOSTILE);
    }
    expect(shown).toBeGreaterThan(examples.length);
  });

  it('do not render without a variable that their template uses', () => {
    for (const example of examples.filter((one) => !isCode(one))) {
      const others = Object.entries(example.variables).filter(([name]) => name !== 'url');
      expect(() => renderer.render({ ...example, variables: Object.fromEntries(others) })).toThrow(/"url"/);
    }
  });

  it('do not render without a variable that their template only asks for', () => {
    const { template } = invitationMail;
    const variables = {
      name: 'Ada',
      isAcquainted: false,
      tenantName: 'Engines',
      role: 'Member',
      url: 'https://example.com/',
    };
    const rendered = (inviter: object) =>
      renderer.render({ template, subject: '', variables: { ...variables, ...inviter } });
    expect(rendered({ inviter: null }).text).toContain('A former member invited you');
    expect(() => rendered({})).toThrow('uses "inviter", which is not among the variables of the mail');
  });
});

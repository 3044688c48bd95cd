import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/** Lets a person in without a password. */
export function magicLinkMail(name: string | undefined, url: string): RenderedMail {
  return renderMail({
    subject: 'Your sign-in link',
    greeting: greeting(name),
    paragraphs: ['Somebody, hopefully you, asked to be signed in without a password. This link does it.'],
    action: { label: 'Sign in', url },
    footnote:
      'The link works once, for 10 minutes. If you did not ask for it, you can ignore this mail; do not pass the link on.',
  });
}

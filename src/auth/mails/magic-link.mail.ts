import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/**
 * The mail with a sign-in link.
 * @param name undefined for a recipient who has never signed in
 */
export function magicLinkMail(name: string | undefined, url: string): RenderedMail {
  return renderMail({
    subject: 'Your sign-in link',
    greeting: greeting(name),
    paragraphs: ['Use this link to sign in. It works once and expires in 10 minutes.'],
    action: { label: 'Sign in', url },
    footnote:
      'You received this email because someone requested a sign-in link for this address. If it was not you, ' +
      'you can ignore this email. Do not forward the link.',
  });
}

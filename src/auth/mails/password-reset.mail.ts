import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/** Lets a person choose a new password. */
export function passwordResetMail(name: string | undefined, url: string): RenderedMail {
  return renderMail({
    subject: 'Choose a new password',
    greeting: greeting(name),
    paragraphs: ['Somebody, hopefully you, asked for a new password. Choosing one signs you out everywhere.'],
    action: { label: 'Choose a new password', url },
    footnote:
      'The link works once, for one hour. If you did not ask for it, you can ignore this mail; your password stays as it is.',
  });
}

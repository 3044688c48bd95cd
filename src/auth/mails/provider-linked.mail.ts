import { letter, type Letter } from '../../platform/letter';

/** Tells a person that an account at an identity provider leads to theirs from now on. @param provider its name as people write it */
export function providerLinkedMail(name: string, provider: string, accountUrl: string): Letter {
  return letter({
    subject: `${provider} was linked to your account`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `somebody, hopefully you, signed in with ${provider} just now, with your email address. From now on that ${provider} account signs in to yours.`,
      'If it was not you, unlink it on your account page, choose a new password, and end your other sessions.',
    ],
    action: { label: 'See your ways to sign in', url: accountUrl },
    footnote: 'If it was you, there is nothing to do.',
  });
}

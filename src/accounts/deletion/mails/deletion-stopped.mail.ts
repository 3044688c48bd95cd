import { MailDefinition } from '../../../platform/mail/mail-definition';

interface DeletionStoppedVariables {
  readonly name: string;
  /** The names of those that prevent the deletion. */
  readonly workspaces: readonly string[];
  readonly url: string;
}

export const deletionStoppedMail = new MailDefinition<DeletionStoppedVariables>({
  template: 'accounts/deletion/mails/deletion-stopped',
  subject: 'Your account was not deleted',
  sample: {
    name: 'Ada Lovelace',
    workspaces: ['Analytical Engines', 'Difference Engines'],
    url: 'https://example.com/account',
  },
});

import type { MailInbox } from '../mail-inbox';
import { groupBy } from './group-by';
import type { ChaosTenant } from './tenant-seed';
import { MAILS, type Transition, type TransitionLedger } from './transition-ledger';

/** @returns a sentence for each Owner with more emails about something than it has happened */
export function mailProblems(
  { mails }: MailInbox,
  ledger: TransitionLedger,
  tenants: readonly ChaosTenant[],
): string[] {
  const mailsTo = groupBy(mails, ({ to }) => to);
  return tenants.flatMap(({ id, email }) =>
    Object.entries(MAILS).flatMap(([transition, subject]) => {
      const own = (mailsTo.get(email) ?? []).filter((mail) => mail.subject === subject);
      const sent = new Set(own.map(({ messageId }) => messageId)).size;
      const most = ledger.transitions(id, transition as Transition);
      return sent > most ? `Tenant ${id}: ${email} got "${subject}" ${sent} times for ${most} transitions.` : [];
    }),
  );
}

/** How many emails were sent, and how many of them twice. */
export function countMails({ mails }: MailInbox): { mails: number; repeatedMails: number } {
  const distinct = new Set(mails.map(({ messageId }) => messageId)).size;
  return { mails: distinct, repeatedMails: mails.length - distinct };
}

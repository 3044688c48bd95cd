import type { MailOutcome } from './mailer';

/**
 * Sends an email, and undoes what was done for it if it was not sent: nobody has its content.
 * @param send may fail
 * @returns the outcome
 */
export async function undoUnlessSent(
  send: () => Promise<MailOutcome>,
  undo: () => Promise<unknown>,
): Promise<MailOutcome> {
  let isSent = false;
  try {
    const sent = await send();
    isSent = sent.outcome === 'sent';
    return sent;
  } finally {
    if (!isSent) await undo();
  }
}

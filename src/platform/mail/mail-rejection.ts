/** The fields of nodemailer's errors that hold the mail server's response and the command. */
interface SmtpError {
  readonly responseCode?: number;
  readonly command?: string;
  readonly response?: string;
}

/** A permanent rejection of an email by the mail server. */
export interface MailRejection {
  /** Whether the recipient's address was rejected, not the content. */
  readonly isOfAddress: boolean;
  /** The server's response, at most 200 characters. */
  readonly reason: string;
}

const REASON_LENGTH = 200;

/**
 * Whether a mail server rejects an email permanently: a 5xx response about the recipient or the
 * content (RFC 5321, section 4.2.1). A 5xx about the sender or the login is not about this email:
 * it is sent once the settings are correct.
 * @returns undefined when a retry makes sense
 */
export function permanentRejection(error: unknown): MailRejection | undefined {
  const { responseCode = 0, command, response = '' } = (error ?? {}) as SmtpError;
  if (responseCode < 500 || responseCode > 599 || (command !== 'RCPT TO' && command !== 'DATA')) return undefined;
  return { isOfAddress: command === 'RCPT TO', reason: response.slice(0, REASON_LENGTH) };
}

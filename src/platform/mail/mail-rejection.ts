/**
 * The part of nodemailer's errors that says what the mail server answered, and to which command.
 */
interface SmtpError {
  readonly responseCode?: number;
  readonly command?: string;
  readonly response?: string;
}

/** A mail server's final word about one mail. */
export interface MailRejection {
  /** Whether it is about the recipient's address, and not about what the mail says. */
  readonly isOfAddress: boolean;
  /** What the server said, at most 200 characters. */
  readonly reason: string;
}

const REASON_LENGTH = 200;

/**
 * Whether a mail server refuses a mail for ever: an answer 5xx about its recipient or its content
 * (RFC 5321 section 4.2.1). A 5xx about the sender or about signing in is not about this mail:
 * somebody has to mend the settings, and the mail goes out then.
 * @returns undefined where another attempt makes sense
 */
export function permanentRejection(error: unknown): MailRejection | undefined {
  const { responseCode = 0, command, response = '' } = (error ?? {}) as SmtpError;
  if (responseCode < 500 || responseCode > 599 || (command !== 'RCPT TO' && command !== 'DATA')) return undefined;
  return { isOfAddress: command === 'RCPT TO', reason: response.slice(0, REASON_LENGTH) };
}

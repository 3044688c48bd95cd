import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A mail that the inbox received by SMTP. */
export interface ReceivedMail {
  readonly id: number;
  readonly receivedAt: string;
  /** Message-ID (RFC 5322). The same for every attempt to send one mail. */
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * An SMTP server that keeps the mails it receives and delivers none, for local mode and tests.
 */
export class MailInbox {
  readonly mails: ReceivedMail[] = [];
  /** The SMTP code with which a recipient is rejected, or undefined. */
  refusal: (recipient: string) => number | undefined = () => undefined;
  private server?: SMTPServer;
  private port = 0;

  /** @param file keeps the mails over restarts. Without it they are in memory only */
  constructor(private readonly file?: string) {
    if (file && existsSync(file))
      this.mails.push(
        ...readFileSync(file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as ReceivedMail),
      );
  }

  get smtpUrl(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Listens on a free port, and on the same one after a stop. */
  async start(): Promise<void> {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      onRcptTo: ({ address }, _session, done) => {
        const responseCode = this.refusal(address);
        done(responseCode === undefined ? null : Object.assign(new Error('refused'), { responseCode }));
      },
      onData: (stream, _session, done) => {
        simpleParser(stream)
          .then((mail) => {
            const to = [mail.to ?? []]
              .flat()
              .map(({ text }) => text)
              .join(', ');
            this.keep({
              messageId: mail.messageId ?? '',
              from: mail.from?.text ?? '',
              to,
              subject: mail.subject ?? '',
              text: mail.text ?? '',
              html: mail.html || '',
            });
            done();
          })
          .catch(done);
      },
    });
    this.server.on('error', () => undefined); // the sender handles broken connections
    await new Promise<void>((resolve, reject) => {
      this.server!.server.once('error', reject);
      this.server!.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (this.server.server.address() as { port: number }).port;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server) await new Promise<void>((resolve) => server.close(resolve));
  }

  /** Deletes all mails. */
  clear(): void {
    this.mails.length = 0;
    if (this.file) rmSync(this.file, { force: true });
  }

  private keep(mail: Omit<ReceivedMail, 'id' | 'receivedAt'>): void {
    const received = { id: this.mails.length + 1, receivedAt: new Date().toISOString(), ...mail };
    this.mails.push(received);
    if (this.file) appendFileSync(this.file, `${JSON.stringify(received)}\n`, { mode: 0o600 });
  }
}

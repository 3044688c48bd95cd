import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A mail as the inbox received it over SMTP. */
export interface ReceivedMail {
  readonly id: number;
  readonly receivedAt: string;
  /** The same for every attempt at one mail, where its sender says so (RFC 5322, Message-ID). */
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * A mail server that delivers nothing: it keeps what it is given, for local mode and for the tests.
 */
export class MailInbox {
  readonly mails: ReceivedMail[] = [];
  /** The code by which a recipient is refused, if any. */
  refusal: (recipient: string) => number | undefined = () => undefined;
  private server?: SMTPServer;
  private port = 0;

  /** @param file where mails are kept over a restart; none: in memory only */
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

  /** Listens on a free port the first time, on the same one after a stop. */
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
    this.server.on('error', () => undefined); // a connection that breaks off is the sender's concern
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

  private keep(mail: Omit<ReceivedMail, 'id' | 'receivedAt'>): void {
    const received = { id: this.mails.length + 1, receivedAt: new Date().toISOString(), ...mail };
    this.mails.push(received);
    if (this.file) appendFileSync(this.file, `${JSON.stringify(received)}\n`, { mode: 0o600 });
  }
}

import { type requestOptionsOf } from '../../client/src/passkey-json';
import { SoftwareAuthenticator } from '../support/software-authenticator';

type Signals = Readonly<Record<string, object[]>>;
/** What a browser does in place of asking the user. */
type Refusal = 'NotAllowedError' | 'InvalidStateError' | 'SecurityError';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url')).buffer;
const text = (source: BufferSource) => Buffer.from(source as Uint8Array).toString('base64url');

/**
 * The parts of a browser that passkeys need, with an authenticator that does what it is asked. They
 * become globals until `remove`.
 */
export class PasskeyBrowser {
  authenticator = new SoftwareAuthenticator();
  refusal: Refusal | undefined;
  /** Whether dialogs stay open as well. */
  isSlow = false;
  /** The options of each question. */
  readonly questions: CredentialRequestOptions[] = [];
  readonly signals: Signals = { signalUnknownCredential: [], signalAllAcceptedCredentials: [] };
  /** Answers the questions in the autofill, one each; until then they stay open. */
  readonly choose: (() => void)[] = [];

  constructor() {
    const signal = (name: string) => (told: object) => {
      this.signals[name].push(told);
      return Promise.resolve();
    };
    const isConditionalMediationAvailable = () => Promise.resolve(true);
    const publicKeyCredential = {
      isConditionalMediationAvailable,
      signalUnknownCredential: signal('signalUnknownCredential'),
      signalAllAcceptedCredentials: signal('signalAllAcceptedCredentials'),
    };
    const create = (options: CredentialCreationOptions) => this.create(options);
    const get = (options: CredentialRequestOptions) => this.get(options);
    this.define('PublicKeyCredential', publicKeyCredential);
    this.define('isSecureContext', true);
    this.define('navigator', { credentials: { create, get } });
  }

  remove(): void {
    for (const name of ['PublicKeyCredential', 'isSecureContext', 'navigator'])
      Reflect.deleteProperty(globalThis, name);
  }

  private define(name: string, value: unknown): void {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }

  private async create({ publicKey }: CredentialCreationOptions) {
    this.refuse();
    const { challenge, rp, user } = publicKey!;
    const options = { challenge: text(challenge), rp: { id: rp.id! }, user: { id: text(user.id) } };
    const { id, response } = this.authenticator.create(options);
    return Promise.resolve({
      id,
      response: {
        clientDataJSON: bytes(response.clientDataJSON),
        attestationObject: bytes(response.attestationObject),
        getTransports: () => response.transports,
      },
    });
  }

  private async get(question: CredentialRequestOptions) {
    this.questions.push(question);
    if (question.mediation === 'conditional' || this.isSlow) await this.chosenIn(question.signal);
    this.refuse();
    const { challenge, rpId } = question.publicKey as ReturnType<typeof requestOptionsOf>;
    const { id, response } = this.authenticator.get({ challenge: text(challenge), rpId });
    return {
      id,
      response: {
        clientDataJSON: bytes(response.clientDataJSON),
        authenticatorData: bytes(response.authenticatorData),
        signature: bytes(response.signature),
        userHandle: bytes(response.userHandle!),
      },
    };
  }

  private chosenIn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.choose.push(resolve);
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  }

  private refuse(): void {
    if (this.refusal) throw new DOMException('refused', this.refusal);
  }
}

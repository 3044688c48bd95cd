/** An email that is ready to be rendered: what a job gives to the mailer. */
export interface Mail {
  /** The path of the template below src, without `.hbs`, such as `auth/mails/magic-link`. */
  readonly template: string;
  readonly subject: string;
  readonly variables: object;
}

interface Options<Variables> {
  readonly template: string;
  readonly subject: string | ((variables: Variables) => string);
  /** Example data for the gallery of local mode and for the tests. */
  readonly sample: Variables;
  /** What other examples change of the sample, by a short description. */
  readonly variants?: Readonly<Record<string, Partial<Variables>>>;
}

/**
 * A kind of email: its template, its subject and the type of its variables (docs/contract.md,
 * Emails). Two names of variables have a meaning for the shared partials: `url` is the link of the
 * button, and `name` is the recipient in the greeting.
 */
export class MailDefinition<Variables extends object> {
  constructor(private readonly options: Options<Variables>) {}

  get template(): string {
    return this.options.template;
  }

  /** The email with these variables. Rendering it fails if its template uses any other. */
  with(variables: Variables): Mail {
    const { template, subject } = this.options;
    return { template, subject: typeof subject === 'string' ? subject : subject(variables), variables };
  }

  /** The sample and its variants. */
  examples(): { readonly description: string; readonly mail: Mail }[] {
    const { sample, variants = {} } = this.options;
    return Object.entries({ Sample: {}, ...variants }).map(([description, changes]) => ({
      description,
      mail: this.with({ ...sample, ...changes }),
    }));
  }
}

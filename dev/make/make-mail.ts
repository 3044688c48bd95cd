import type { ChangeSet } from './change-set';
import { EXAMPLE } from './example-module';
import type { ExistingModule } from './existing-module';
import { refuse } from './make-refusal';
import { formsOf, type Noun } from './name-forms';

/**
 * A mail of a module: its template, and one file with its definition and the job that sends it.
 * @param name what the mail is about: `invoice-due`
 * @returns what to look at next
 */
export function makeMail(module: ExistingModule, changes: ChangeSet, name: string): string[] {
  const { one, many } = module.noun;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(name)) refuse(`Name the mail by several words, such as ${one.kebab}-due.`);
  module.require(`src/${EXAMPLE.many.kebab}/data/${EXAMPLE.one.kebab}.repository.ts`);
  const folder = `src/${many.kebab}`;
  changes.create(`${folder}/mails/${name}.hbs`, template(module.noun, formsOf(name).words));
  changes.create(`${folder}/mails/${name}.mail.ts`, definitionAndJob(module.noun, name));
  return [
    `${folder}/mails/${name}.hbs: what it says`,
    `${folder}/mails/${name}.mail.ts: its subject, the link, and who gets it`,
    `\`jobs.enqueue(new ${formsOf(`send-${name}-mail`).pascal}(…))\` in the transaction of its cause`,
    'npm start and http://localhost:3000/mails: how it looks',
    'npx jest --ci test/architecture/mails test/architecture/jobs',
  ];
}

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const template = ({ one }: Noun, words: string): string => `{{#> layout}}
{{> greeting}}
{{#> paragraph}}
${capitalized(words)}.
{{/paragraph}}
{{#> button}}Open the ${one.words}{{/button}}
{{#> reason}}
You received this email because you are a member of {{tenantName}}.
{{/reason}}
{{/layout}}
`;

function definitionAndJob({ one, many }: Noun, name: string): string {
  const { pascal } = formsOf(`send-${name}-mail`);
  const mail = `${formsOf(name).camel}Mail`;
  return `import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Job } from '../../platform/jobs/jobs';
import { MailDefinition } from '../../platform/mail/mail-definition';
import { Mailer } from '../../platform/mail/mailer';
import { ok, type Result } from '../../platform/result';

interface Variables {
  readonly name: string;
  readonly tenantName: string;
  readonly url: string;
}

/** The mail about ${formsOf(name).words}. */
export const ${mail} = new MailDefinition<Variables>({
  template: '${many.kebab}/mails/${name}',
  subject: '${capitalized(formsOf(name).words)}',
  sample: { name: 'Ada Lovelace', tenantName: 'Analytical Engines', url: 'https://example.com/${many.kebab}' },
});

/** Mails a member of a tenant: ${formsOf(name).words}. */
@Job('send-${name}-mail', 'mail')
export class ${pascal} extends Command<Result> {
  constructor(
    readonly recipient: { readonly email: string; readonly name: string },
    readonly tenantName: string,
    readonly ${one.camel}Id: string,
  ) {
    super();
  }
}

@CommandHandler(${pascal})
export class ${pascal}Handler implements ICommandHandler<${pascal}> {
  constructor(
    private readonly mailer: Mailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ recipient, tenantName, ${one.camel}Id }: ${pascal}): Promise<Result> {
    const url = \`\${this.settings.frontendUrl}/${many.kebab}/\${${one.camel}Id}\`;
    await this.mailer.send({ address: recipient.email, purpose: '${name}', isNew: false }, () =>
      ${mail}.with({ name: recipient.name, tenantName, url }),
    );
    return ok();
  }
}
`;
}

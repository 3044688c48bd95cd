import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HandlebarsAdapter } from '@nestjs-modules/mailer/adapters/handlebars.adapter';
import { Injectable } from '@nestjs/common';
import Handlebars, { type TemplateDelegate } from 'handlebars';
import type { Mail } from './mail-definition';
import { MAIL_HELPERS, READER, type MailReader } from './mail-helpers';

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** The folder of the modules. The build copies the templates beside the compiled sources. */
const MODULES = join(__dirname, '..', '..');
const SHARED = join(__dirname, 'templates');

const HTML_OPTIONS = { strict: true };
const TEXT_OPTIONS = { strict: true, noEscape: true };

/**
 * Renders emails from their templates. Each template is rendered twice, with the partials of
 * templates/html and with those of templates/text, so that its sentences are written once. Compiled
 * templates are kept.
 *
 * The adapter renders HTML only. It would replace a stylesheet link in unescaped text by the
 * content of a local file, so the text part has a Handlebars environment of its own. Its inlining
 * of styles, which may load remote stylesheets, is off.
 */
@Injectable()
export class MailRenderer {
  private readonly adapter = new HandlebarsAdapter(MAIL_HELPERS, { inlineCssEnabled: false });
  private readonly textEnvironment = Handlebars.create();
  private readonly textTemplates = new Map<string, TemplateDelegate>();

  constructor() {
    registerPartials(Handlebars, 'html', HTML_OPTIONS); // the adapter uses the global environment
    registerPartials(this.textEnvironment, 'text', TEXT_OPTIONS);
    this.textEnvironment.registerHelper(MAIL_HELPERS);
  }

  /**
   * @param reader how the recipient reads dates
   * @throws if the template does not exist, or uses a variable that the email does not have
   */
  render({ template, subject, variables }: Mail, reader: MailReader = {}): RenderedMail {
    const context = onlyDefined({ ...variables, subject, [READER]: reader }, template);
    return { subject, html: this.html(template, context), text: this.text(template, context) };
  }

  private html(template: string, context: object): string {
    const mail = { data: { template, context, html: '' } };
    const rethrow = (error?: Error) => {
      if (error) throw error;
    };
    this.adapter.compile(mail, rethrow, { template: { dir: MODULES, options: HTML_OPTIONS } });
    return mail.data.html;
  }

  private text(template: string, context: object): string {
    let compiled = this.textTemplates.get(template);
    if (!compiled) {
      const source = readFileSync(join(MODULES, `${template}.hbs`), 'utf8');
      compiled = this.textEnvironment.compile(source, TEXT_OPTIONS);
      this.textTemplates.set(template, compiled);
    }
    return `${compiled(context)
      .replace(/\n\s*\n/g, '\n\n')
      .trim()}\n`;
  }
}

/**
 * Registers the shared partials under their names, and those in `mails/partials` of each module as
 * `<module>/<name>`. A module's partials use the shared ones, so they serve both parts. A build
 * without templates refuses the start here.
 */
function registerPartials(environment: typeof Handlebars, part: 'html' | 'text', options: CompileOptions): void {
  const register = (folder: string, prefix = '') => {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.hbs')))
      environment.registerPartial(
        prefix + file.replace('.hbs', ''),
        environment.compile(readFileSync(join(folder, file), 'utf8'), options),
      );
  };
  register(SHARED);
  register(join(SHARED, part));
  for (const module of readdirSync(MODULES)) {
    const folder = join(MODULES, module, 'mails', 'partials');
    if (existsSync(folder)) register(folder, `${module}/`);
  }
}

/**
 * Variables that throw when an unknown one is read. Strict mode alone does not notice one in
 * `{{#if}}` or as an argument of a helper.
 */
function onlyDefined(variables: object, template: string): object {
  return new Proxy(variables, {
    get(target, name): unknown {
      if (typeof name === 'string' && !(name in target))
        throw new Error(`The template ${template} uses "${name}", which is not among the variables of the mail.`);
      return Reflect.get(target, name);
    },
  });
}

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

/** `npm run borders` requires that each of them is listed in src/modules.ts. */
const MODULES = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['config', 'platform', 'http'].includes(entry.name))
  .map(({ name }) => name);
/** Modules of more than 40 files have areas, each with the folders of a module. */
const AREAS = ['subscriptions', 'checkout', 'webhooks', 'sync', 'entitlements'];

/** A new verb is added here deliberately: one verb for one thing. */
const VERBS =
  'accept|cancel|change|close|create|delete|disable|disown|enable|end|fold|impersonate|invite|log|mark|name|open|override|purge|' +
  'receive|record|refresh|register|remind|remove|rename|replay|request|resend|reset|retry|revoke|secure|send|set|sign|' +
  'start|switch|sync|transfer|unlink|update|verify';

const WORDS = '[a-z0-9]+(-[a-z0-9]+)*';
const SEVERAL_WORDS = '[a-z0-9]+(-[a-z0-9]+)+';

/** How files are named in each folder of a module, without `.ts`. */
const PATTERNS: Record<string, RegExp> = {
  http: new RegExp(
    `^${WORDS}\\.(controller|guard|interceptor|middleware|decorators?|pipe|body|params)$|^${WORDS}-(cookie|stream|timing)$`,
  ),
  'http/views': new RegExp(`^${WORDS}\\.views$`),
  commands: new RegExp(`^(${VERBS})-${WORDS}$`),
  queries: new RegExp(`^(get|list|find|count|preview)-${WORDS}$`),
  services: new RegExp(`^(?!(${VERBS})-)${SEVERAL_WORDS}$|^[a-z]+er$`),
  listeners: new RegExp(`^(enqueue|notify|supply|${VERBS})-${WORDS}$`),
  domain: new RegExp(`^${WORDS}$`),
  data: new RegExp(`^${WORDS}\\.(repository|statements|columns)$|^${SEVERAL_WORDS}$`),
  mails: new RegExp(`^${WORDS}\\.(mail|hbs)$`),
  'mails/partials': new RegExp(`^${WORDS}\\.hbs$`),
  providers: new RegExp(`^${WORDS}\\.(strategy|guard)$|^${SEVERAL_WORDS}$`),
  stripe: new RegExp(`^${WORDS}\\.mapper$|^${SEVERAL_WORDS}$`),
};
const NAMELESS = /(^|\/)(index|utils?|common|helpers?|types|interfaces?|misc|shared)(\.|\/|$)/;

/** Why the name of a source file is wrong; undefined if it is right. */
function complaint(file: string): string | undefined {
  if (NAMELESS.test(file)) return `${file}: the name says nothing about the content`;
  const [, module, ...rest] = file.split('/');
  if (!MODULES.includes(module)) return undefined;
  const name = rest.pop()!.replace(/\.ts$/, '');
  if (rest.length === 0) {
    const isFace = new RegExp(`^${module}\\.(module|api|events|failures)$`).test(name);
    return isFace ? undefined : `${file}: a module's root holds its public files only`;
  }
  const room = (module === 'billing' && AREAS.includes(rest[0]) ? rest.slice(1) : rest).join('/');
  if (!(room in PATTERNS)) return `${file}: a module has no folder ${room || rest[0]}`;
  return PATTERNS[room].test(name.replace(/\.spec$/, '')) ? undefined : `${file}: not a name for ${room}`;
}

const sources = execFileSync('git', ['ls-files', 'src'], { encoding: 'utf8' }).trim().split('\n');

describe('names of source files', () => {
  it('follow the pattern of their folder', () => {
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.map(complaint).filter(Boolean)).toEqual([]);
  });

  it.each([
    'src/platform/utils.ts',
    'src/tenants/index.ts',
    'src/http/common/pagination.ts',
    'src/tenants/founding.ts',
    'src/tenants/users.api.ts',
    'src/tenants/tenants.schedule.ts',
    'src/tenants/helpers/tenant.ts',
    'src/tenants/rooms/tenant.ts',
    'src/tenants/checkout/commands/start-checkout.ts',
    'src/billing/sync/sync-state.ts',
    'src/auth/http/sends-browser-on.ts',
    'src/auth/http/views/session-shape.ts',
    'src/tenants/commands/role.ts',
    'src/tenants/commands/found-tenant.ts',
    'src/tenants/queries/all-roles.ts',
    'src/tenants/services/joining.ts',
    'src/tenants/services/create-tenant.ts',
    'src/tenants/listeners/farewell.ts',
    'src/tenants/data/rows.ts',
    'src/tenants/mails/letter.ts',
    'src/tenants/mails/partials/letter.mail.ts',
    'src/tenants/domain/Tenant.ts',
    'src/tenants/domain/Tenant.spec.ts',
  ])('%s would be refused', (file) => expect(complaint(file)).toBeDefined());
});

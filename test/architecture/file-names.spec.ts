import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { trackedFiles } from './source-files';

/** `npm run borders` requires that each of them is listed in src/modules.ts. */
const MODULES = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['config', 'platform', 'http'].includes(entry.name))
  .map(({ name }) => name);
/** The areas of modules of more than 40 files, each with the folders of a module. */
const AREAS: Readonly<Partial<Record<string, readonly string[]>>> = {
  accounts: ['deletion', 'email-change', 'export'],
  billing: 'catalogue changes checkout entitlements invoices revenue seats subscriptions sync webhooks'.split(' '),
};
const FOLDERS = ['src', 'client', 'panel', 'sample', 'dev', 'bench', 'test'];

const words = (text: string) => text.trim().split(/\s+/);

/** A new verb is added here deliberately: one verb for one thing. */
const VERBS = words(`
  accept approve cancel change close complete create delete disable enable end export extend fold
  impersonate invite log mark open override purge receive record refresh refund register remind remove
  rename replay request resend reset resume retry revoke rotate secure send set sign start stop switch sync take
  transfer undo unlink update verify`);

/**
 * A name of one word is added here deliberately: it must say enough without its folder. The tests
 * of a module may have its name.
 */
const ONE_WORD: Record<string, readonly string[]> = {
  src: words(`
    access actor app clock cooldowns database doctor entities environment envelope ids jobs keys log
    mailer main metrics migrate modules pagination permissions readiness redirect redis result scheduler
    serve settings timeout transaction vault`),
  client: words('claims client generate impersonation index notifications schema session'),
  panel: words(`
    api chart forbidden index labels links loading main navigation pagination panel section stats theme
    timestamp`),
  sample: words(
    'app banners entitlements field form index main messages navigation page queries session theme toasts usage',
  ),
  dev: words(`
    actors api assertions checkout chromium clean diagram discounts environment fault fixtures inbox invoicing local
    mails main mutations operations options pages pagination preparations prepare records recovery
    request reset routes run scheduler seed server start state test`),
  bench: words('profile profiler report run servers statistics'),
  test: words(`
    actors app billing borders browser checkout client cooldowns database entities erd eventually
    impersonation invitations jobs login mailbox mails members migrations notifications ownership passwords
    permissions plan readiness redis refresh roles routes schedule scheduler sessions settings
    revenue stream sync tenants trends users webhooks`),
};

/** Words that are not terms of the field. docs/glossary.md lists what is used instead. */
const BANNED = words(`
  agenda asking bymail contract deed desk disown door edge farewell floor furnish governor granting
  held hold holder identify impatient joining leftover letter life liveness mending mirroring
  nobody nonsense nowhere pauses person plant planted rereading rolefield room rooms
  settle signedin stranger story straggler told turn unwrapped usedup verdict visitor ways whose why`);
/** Names that say too little or something else, although their words are terms of the field. */
const BANNED_NAMES = words(`
  act admins ask broken conditions event-processing failure-of failure-status inbox-mails mailbox-claim
  memory no-side-effects operator owned owners page-comparison password-proof past postgres-home
  processor-events processor-nonsense processor-pay processor-portal processor-state reading removal
  request-end request-start sabotage sending state-of states statements storable tabs way words world`);

const WORDS = '[a-z0-9]+(-[a-z0-9]+)*';
const SEVERAL_WORDS = '[a-z0-9]+(-[a-z0-9]+)+';
const VERB = `(${VERBS.join('|')})`;
const WEB = 'controller|guards?|interceptor|middleware|decorators?|pipe|body|params|views';

/** How files are named in each folder of a module, without `.ts`. */
const PATTERNS: Record<string, RegExp> = {
  http: new RegExp(`^${WORDS}\\.(${WEB})$|^${WORDS}-(cookie|stream|timing|columns)$`),
  'http/views': new RegExp(`^${WORDS}\\.views$`),
  commands: new RegExp(`^${VERB}-${WORDS}$`),
  queries: new RegExp(`^(check|get|list|find|count|preview)-${WORDS}$`),
  services: new RegExp(`^(?!${VERB}-)${SEVERAL_WORDS}$|^[a-z]+er$`),
  listeners: new RegExp(`^(enqueue|notify|supply|${VERB})-${WORDS}$`),
  domain: new RegExp(`^${WORDS}$`),
  data: new RegExp(`^${WORDS}\\.(repository|statements|columns)$|^${SEVERAL_WORDS}$`),
  mails: new RegExp(`^${WORDS}\\.(mail|hbs)$`),
  notifications: new RegExp(`^${WORDS}\\.notification$`),
  'mails/partials': new RegExp(`^${WORDS}\\.hbs$`),
  providers: new RegExp(`^${WORDS}\\.(strategy|guard)$|^${SEVERAL_WORDS}$`),
  stripe: new RegExp(`^${WORDS}\\.mapper$|^${SEVERAL_WORDS}$`),
};
const NAMELESS = /(^|\/)(index|utils?|common|helpers?|types|interfaces?|misc|shared)(\.|\/|$)/;
/** The entries of the pages and of the client's package, and the compile-time tests. */
const NAMELESS_BY_CONVENTION = /^(client\/src\/index\.ts|(panel|sample)\/index\.html|test\/types\/)/;
/** Nouns in -ing hide the verb and its object; two are terms of the field. */
const GERUND = /(?<!provisioning|timing)(?<=ing)$/;
const PARTS =
  'controller|guards?|interceptor|middleware|decorators?|pipe|views|module|failures|repository|service|config|types';
/** A file outside of the modules: words with hyphens, and its part in the framework. */
const ELSEWHERE = new RegExp(`^${WORDS}(\\.(${PARTS}|sample|e2e-spec|spec))?$`);

/** Why the name of a source file is wrong; undefined if it is right. */
function complaint(file: string): string | undefined {
  if (NAMELESS.test(file) && !NAMELESS_BY_CONVENTION.test(file))
    return `${file}: the name says nothing about the content`;
  const name = basename(file).replace(/\.(tsx?|mjs|html|hbs)$/, (ending) => (ending === '.hbs' ? ending : ''));
  const noun = name.replace(/\.[a-z0-9.-]+$/, '');
  const banned = [...file.split('/').slice(1, -1), noun].flatMap((part) => part.split('-')).find(isBanned);
  if (banned) return `${file}: ${banned} is not a term of the field`;
  if (BANNED_NAMES.includes(noun)) return `${file}: the name does not say what the file contains`;
  const [folder, module, ...rest] = file.split('/');
  return folder === 'src' && MODULES.includes(module)
    ? complaintInModule(file, module, rest, name.replace(/\.spec$/, ''))
    : complaintElsewhere(file, name, noun);
}

const isBanned = (word: string) => BANNED.includes(word);

function complaintInModule(file: string, module: string, rest: string[], name: string): string | undefined {
  if (rest.length === 1) {
    const isFace = new RegExp(`^${module}\\.(module|api|events|public-events|failures)$`).test(name);
    return isFace ? undefined : `${file}: a module's root holds its public files only`;
  }
  const folders = rest.slice(0, -1);
  const room = (AREAS[module]?.includes(folders[0]) ? folders.slice(1) : folders).join('/');
  if (!(room in PATTERNS)) return `${file}: a module has no folder ${room || folders[0]}`;
  if (GERUND.test(name)) return `${file}: a noun or a verb with its object is easier to find`;
  return PATTERNS[room].test(name) ? undefined : `${file}: not a name for ${room}`;
}

function complaintElsewhere(file: string, name: string, noun: string): string | undefined {
  if (name.endsWith('.hbs')) return undefined;
  if (!ELSEWHERE.test(name)) return `${file}: not a name with hyphens and a known ending`;
  const isPlain = /^[^.]+(\.(spec|e2e-spec))?$/.test(name) && !noun.includes('-');
  const isKnown = ONE_WORD[file.split('/')[0]].includes(noun) || file.startsWith(`test/e2e/${noun}/`);
  return isPlain && !isKnown ? `${file}: one word does not say enough; add it to the list if it does` : undefined;
}

const sources = trackedFiles(...FOLDERS).filter((file) => /\.(tsx?|mjs|html|hbs)$/.test(file));

describe('names of source files', () => {
  it('follow the pattern of their folder', () => {
    expect(sources.length).toBeGreaterThan(700);
    for (const folder of FOLDERS) expect(sources.some((file) => file.startsWith(`${folder}/`))).toBe(true);
    expect(sources.map(complaint).filter(Boolean)).toEqual([]);
  });

  it('use every listed verb', () => {
    const used = new Set(sources.filter((file) => /\/(commands|listeners)\//.test(file)).map(verbOf));
    expect(VERBS.filter((verb) => !used.has(verb))).toEqual([]);
  });

  it('use every listed name of one word', () => {
    const used = new Set(sources.map((file) => `${file.split('/')[0]}/${basename(file).split('.')[0]}`));
    const listed = Object.entries(ONE_WORD).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}`));
    expect(listed.filter((name) => !used.has(name))).toEqual([]);
  });

  it('may be that of the folder for the tests of a module', () => {
    expect(complaint('test/e2e/engines/engines.e2e-spec.ts')).toBeUndefined();
    expect(complaint('test/e2e/engines/wheels.e2e-spec.ts')).toContain('one word does not say enough');
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
    'src/tenants/notifications/tenant-renamed.ts',
    'src/tenants/mails/partials/letter.mail.ts',
    'src/tenants/domain/Tenant.ts',
    'src/tenants/domain/Tenant.spec.ts',
  ])('%s would be refused', (file) => expect(complaint(file)).toBeDefined());

  // earlier names, which a search for the field's terms does not find
  it.each([
    'src/edge/pagination.ts',
    'src/billing/billing.contract.ts',
    'src/billing/processor/stripe-client.ts',
    'src/billing/listeners/farewell.ts',
    'src/billing/checkout/services/customer-desk.ts',
    'src/admin/services/job-desk.ts',
    'src/billing/subscriptions/services/mirroring.ts',
    'src/billing/sync/services/rereading.ts',
    'src/billing/sync/services/prompt-reading.ts',
    'src/billing/sync/services/page-comparison.ts',
    'src/billing/webhooks/services/event-processing.ts',
    'src/billing/stripe/state-of.ts',
    'src/billing/stripe/storable.ts',
    'src/auth/services/mailbox-claim.ts',
    'src/auth/services/password-proof.ts',
    'src/auth/http/no-side-effects.interceptor.ts',
    'src/tenants/domain/founding.ts',
    'src/tenants/services/granting.ts',
    'src/tenants/services/owners.ts',
    'src/users/services/admins.ts',
    'src/http/rooms.ts',
    'src/http/furnish.ts',
    'src/http/page.ts',
    'src/http/pages.ts',
    'src/http/identify.ts',
    'src/http/request-start.ts',
    'src/http/request-end.ts',
    'src/http/lifecycle.ts',
    'src/http/failure-of.ts',
    'src/http/failure-status.ts',
    'src/http/unwrapped.ts',
    'src/platform/letter.ts',
    'src/platform/impatient-client.ts',
    'src/platform/worker-liveness.ts',
    'client/src/held.ts',
    'client/src/memory.ts',
    'client/src/sending.ts',
    'client/src/tabs.ts',
    'panel/src/nowhere.tsx',
    'panel/src/stranger.tsx',
    'panel/src/broken.tsx',
    'panel/src/owned.tsx',
    'panel/src/ask.tsx',
    'panel/src/act.ts',
    'panel/src/reading.ts',
    'panel/src/words.ts',
    'sample/src/door.tsx',
    'sample/src/way.tsx',
    'sample/src/why.tsx',
    'sample/src/bymail.tsx',
    'sample/src/usedup.tsx',
    'sample/src/signedin.tsx',
    'sample/src/rolefield.tsx',
    'dev/stripe/plant.ts',
    'dev/stripe/person.ts',
    'dev/stripe/agenda.ts',
    'dev/chaos/deed.ts',
    'dev/chaos/verdict.ts',
    'dev/postgres-leftover.ts',
    'dev/postgres-home.ts',
    'dev/fuzz/world.ts',
    'dev/pages/processor-state.html',
    'bench/floor-webhook.ts',
    'test/browser/life.spec.ts',
    'test/browser/past.ts',
    'test/browser/story.ts',
    'test/browser/visitor.ts',
    'test/browser/ways-in.spec.ts',
    'test/browser/tabs.spec.ts',
    'test/browser/operator.spec.ts',
    'test/e2e/http/pauses.e2e-spec.ts',
    'test/e2e/billing/states.e2e-spec.ts',
    'test/e2e/billing/processor-nonsense.e2e-spec.ts',
    'test/e2e/platform/refusals.e2e-spec.ts',
    'test/e2e/platform/mail-governor.e2e-spec.ts',
    'test/e2e/tenants/removal.e2e-spec.ts',
    'test/support/processor-events.ts',
    'test/support/TestApp.ts',
  ])('%s would be refused', (file) => expect(complaint(file)).toBeDefined());

  it.each([
    'src/http/validation/page-query.ts',
    'src/platform/database/tenant-scope.ts',
    'src/tenants/services/tenant-provisioning.ts',
    'src/tenants/services/tenant-owners.ts',
    'sample/src/layout/signed-in.tsx',
    'test/e2e/http/cooldowns.e2e-spec.ts',
  ])('%s would be accepted', (file) => expect(complaint(file)).toBeUndefined());
});

/** The first word of the file's name. */
function verbOf(file: string): string {
  return basename(file).split('-')[0];
}

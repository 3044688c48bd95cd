import * as ts from 'typescript';
import type { ChangeSet } from './change-set';
import type { ExistingModule } from './existing-module';
import { refuse } from './make-refusal';
import { formsOf, type NameForms, type Noun } from './name-forms';
import { applyEdits, nodesIn, parse } from './text-edits';

const SENTENCES = 'sample/src/notification-messages.ts';

/**
 * A notification of a tenant's Owner about an event of a module.
 * @param name of the event: `invoice-approved` for InvoiceApproved
 * @returns what to look at next
 */
export function makeNotification(module: ExistingModule, changes: ChangeSet, name: string): string[] {
  const { many } = module.noun;
  const kind = formsOf(name);
  const events = `src/${many.kebab}/${many.kebab}.events.ts`;
  if (!changes.exists(events) || !changes.read(events).includes(`export class ${kind.pascal} `))
    refuse(`There is no event ${kind.pascal} in ${events}. \`npm run make:command\` makes one.`);
  const data = `src/${many.kebab}/notifications/${name}.notification.ts`;
  const listener = `src/${many.kebab}/listeners/notify-owner-on-${name}`;
  changes.create(data, dataClass(module.noun, kind));
  changes.create(`${listener}.ts`, listenerClass(module.noun, kind));
  module.use('NotificationsModule', 'src/notifications/notifications.module');
  module.use('TenantsModule', 'src/tenants/tenants.module');
  changes.edit('docs/contract.md', (text) =>
    text.replace(/^(- The kinds are .*) and (\w+)\.$/m, `$1, $2 and ${kind.pascal}.`),
  );
  changes.edit(SENTENCES, (text) => withSentence(text, kind));
  return [
    `${data}: what it says, and ${listener}.ts: who gets it`,
    `${SENTENCES}: its sentence`,
    `npx jest --ci test/e2e/${many.kebab} test/e2e/notifications`,
  ];
}

const dataClass = (
  { one }: Noun,
  { pascal, words }: NameForms,
): string => `import { ApiProperty } from '@nestjs/swagger';
import { NotificationSchema } from '../../notifications/notifications.api';

declare module '../../notifications/domain/notification-data' {
  interface NotificationData {
    ${pascal}: ${pascal}Data;
  }
}

/** For the Owner of the tenant: ${words}. */
@NotificationSchema('${pascal}')
export class ${pascal}Data {
  @ApiProperty({ type: String, format: 'uuid' }) readonly ${one.camel}Id!: string;
}
`;

const listenerClass = (
  { one, many }: Noun,
  { pascal, words }: NameForms,
): string => `import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifier, type NewNotification } from '../../notifications/notifications.api';
import { TenantOwners } from '../../tenants/tenants.api';
import { ${pascal} } from '../${many.kebab}.events';

/** Notifies the Owner of the tenant, unless they did it: ${words}. */
@Injectable()
export class NotifyOwnerOn${pascal} implements OnModuleInit {
  constructor(
    private readonly notifier: Notifier,
    private readonly owners: TenantOwners,
  ) {}

  onModuleInit(): void {
    this.notifier.on(${pascal}, ['${pascal}'], (events) => this.notificationsOf(events));
  }

  private async notificationsOf(events: readonly ${pascal}[]): Promise<NewNotification<'${pascal}'>[]> {
    const owners = await this.owners.of(events.flatMap(({ tenantId }) => tenantId ?? []));
    return events.flatMap(({ by, tenantId, target }) => {
      const owner = tenantId && owners.get(tenantId);
      if (!owner || owner.userId === by.userId) return [];
      return [{ tenantId, userId: owner.userId, kind: '${pascal}', data: { ${one.camel}Id: target.id } }];
    });
  }
}
`;

/** The sample client does not compile without a sentence for each kind. */
function withSentence(text: string, kind: NameForms): string {
  const declared = nodesIn(parse(text), ts.isVariableDeclaration).find(
    ({ name }) => name.getText() === 'PRESENTATIONS',
  );
  const list = declared?.initializer;
  if (!list || !ts.isObjectLiteralExpression(list)) throw new Error(`${SENTENCES} has no PRESENTATIONS.`);
  const sentence = `${kind.words.charAt(0).toUpperCase()}${kind.words.slice(1)}.`;
  const end = list.properties[list.properties.length - 1].getEnd();
  const line = `, ${kind.pascal}: { text: () => '${sentence}' }`;
  return applyEdits(text, [{ start: end, end, text: line }]);
}

import type { ChangeSet } from './change-set';
import { EXAMPLE } from './example-module';
import type { ExistingModule } from './existing-module';
import { refuse } from './make-refusal';
import { formsOf, type Noun } from './name-forms';
import { presentOf } from './verb-forms';
import { addVerb } from './verb-registry';

/**
 * A job of a module: for one row, or with a schedule over all tenants.
 * @param name a verb and the noun: `remind-shipment`, or `remind-shipments` with a schedule
 * @param cron when it runs
 * @returns what to look at next
 */
export function makeJob(module: ExistingModule, changes: ChangeSet, name: string, cron?: string): string[] {
  const { one, many } = module.noun;
  const wanted = cron === undefined ? one.kebab : many.kebab;
  const verb = name.endsWith(`-${wanted}`) ? name.slice(0, -wanted.length - 1) : '';
  if (!/^[a-z]+$/.test(verb)) refuse(`Name the job by a verb and ${wanted}, such as remind-${wanted}.`);
  if (cron !== undefined && !/^[\d*/, -]+$/.test(cron))
    refuse('Write the schedule as five fields: `--cron "13 6 * * *"`.');
  module.require(`src/${EXAMPLE.many.kebab}/data/${EXAMPLE.one.kebab}.repository.ts`);
  const path = `src/${many.kebab}/commands/${name}.ts`;
  changes.create(
    path,
    cron === undefined ? jobOfRow(module.noun, name, verb) : scheduledJob(module.noun, name, verb, cron),
  );
  addVerb(changes, verb);
  const enqueued = `\`jobs.enqueue(new ${formsOf(name).pascal}(…))\` in the transaction of its cause`;
  return [
    `${path}: what it does`,
    cron === undefined ? enqueued : 'docs/contract.md, Scheduled work: when it runs',
    'npx jest --ci test/architecture',
  ];
}

const sentence = (verb: string) => `${presentOf(verb).charAt(0).toUpperCase()}${presentOf(verb).slice(1)}`;

function jobOfRow({ one, many }: Noun, name: string, verb: string): string {
  const { pascal } = formsOf(name);
  return `import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { ${one.pascal}Repository } from '../data/${one.kebab}.repository';

/** ${sentence(verb)} one of the ${many.words} of a tenant, unless it is deleted. */
@Job('${name}')
export class ${pascal} extends Command<Result> {
  constructor(
    readonly tenantId: string,
    readonly ${one.camel}Id: string,
  ) {
    super();
  }
}

@CommandHandler(${pascal})
export class ${pascal}Handler implements ICommandHandler<${pascal}> {
  constructor(
    private readonly ${many.camel}: ${one.pascal}Repository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ tenantId, ${one.camel}Id }: ${pascal}): Promise<Result> {
    await this.unitOfWork.inTenant({ tenantId }, async () => {
      const ${one.camel} = await this.${many.camel}.lock(tenantId, ${one.camel}Id);
      if (${one.camel}) await this.${many.camel}.save(${one.camel});
      return ok();
    });
    return ok();
  }
}
`;
}

function scheduledJob({ many }: Noun, name: string, verb: string, cron: string): string {
  const { pascal } = formsOf(name);
  return `import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';

/** ${sentence(verb)} ${many.words} of all tenants (docs/contract.md, Scheduled work). */
@Job('${name}')
@Schedule('${cron}')
export class ${pascal} extends Command<Result> {}

@CommandHandler(${pascal})
export class ${pascal}Handler implements ICommandHandler<${pascal}> {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  execute() {
    return this.unitOfWork.acrossTenants(() => Promise.resolve(ok()));
  }
}
`;
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { JsonFile } from '../../../http/responses/json-file';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { DomainEvents } from '../../../platform/domain-events';
import { PersonalData, type DataSubject } from '../../../platform/personal-data';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UserRepository } from '../../../users/users.api';
import { AccountDataExported } from '../../accounts.events';
import { HourlyExportQuota } from '../services/hourly-export-quota';

/** The version of the file; another one may have other keys. */
export const EXPORT_VERSION = 2;
/** The most items of a list, for example of audit entries. */
export const MAX_ITEMS = 100_000;

/**
 * Exports what is stored about the caller as a JSON file. The audit log records the export before a
 * row is read. RATE_LIMITED after a few within an hour.
 */
export class ExportAccountData extends Command<Result<JsonFile, 'RATE_LIMITED' | 'UNAUTHENTICATED'>> {
  constructor(readonly actor: Actor) {
    super();
  }
}

@CommandHandler(ExportAccountData)
export class ExportAccountDataHandler implements ICommandHandler<ExportAccountData> {
  constructor(
    private readonly users: UserRepository,
    private readonly quota: HourlyExportQuota,
    private readonly personalData: PersonalData,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor }: ExportAccountData): Promise<Result<JsonFile, 'RATE_LIMITED' | 'UNAUTHENTICATED'>> {
    const begun = await this.unitOfWork.acrossTenants(async () => {
      const user = await this.users.lock(actor.userId); // exports are counted one after the other
      if (!user) return err(PlatformFailures.unauthenticated); // deleted after the token was issued
      const allowed = await this.quota.check(user.id);
      if (!allowed.ok) return allowed;
      await this.events.publish(new AccountDataExported(user.id));
      return ok({ userId: user.id, email: user.email });
    });
    return begun.ok ? ok(this.fileOf(begun.value)) : begun;
  }

  private fileOf(subject: DataSubject): JsonFile {
    const exportedAt = this.clock.now();
    return JsonFile.of({
      name: `account-data-${exportedAt.toISOString().slice(0, 10)}`,
      fields: { version: EXPORT_VERSION, exportedAt },
      lists: this.personalData.parts.map(({ name, read }) => ({ name, read: (page) => read(subject, page) })),
      maxItems: MAX_ITEMS,
    });
  }
}

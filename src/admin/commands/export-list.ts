import { Command, CommandHandler, QueryBus, type ICommandHandler, type Query } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { CsvFile } from '../../http/responses/csv-file';
import type { CsvColumns } from '../../http/responses/csv-rows';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { AdminCheck } from '../../users/users.api';
import { AdminExported } from '../admin.events';

/** Opens the file of a list. */
type OpenFile = (queries: QueryBus, day: Date) => Promise<Result<CsvFile>>;

/**
 * The file of a list.
 * @param name the beginning of the file name
 * @param query the query of a page, with the filters of the list
 */
export const fileOf =
  <Row>(name: string, columns: CsvColumns<Row>, query: (page: PageRequest) => Query<Result<Page<Row>>>): OpenFile =>
  (queries, day) =>
    CsvFile.of({ name, day, columns }, (page) => queries.execute(query(page)));

/**
 * Exports a list as a CSV file. The audit log records the export with its filters before a row is
 * read (docs/contract.md, CSV files). FORBIDDEN if the caller's admin flag was revoked after the
 * token was issued.
 */
export class ExportList extends Command<Result<CsvFile, 'FORBIDDEN'>> {
  /** @param type the target type of the audit entry */
  constructor(
    readonly actor: Actor,
    readonly type: string,
    readonly filters: object,
    readonly open: OpenFile,
  ) {
    super();
  }
}

@CommandHandler(ExportList)
export class ExportListHandler implements ICommandHandler<ExportList> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly queries: QueryBus,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, type, filters, open }: ExportList): Promise<Result<CsvFile, 'FORBIDDEN'>> {
    const allowed = await this.unitOfWork.transaction(async () => {
      const checked = await this.adminCheck.requireAdmin(actor.userId);
      if (!checked.ok) return checked;
      await this.events.publish(new AdminExported(actor, { type, id: 'list' }, { ...filters }));
      return ok();
    });
    return allowed.ok ? open(this.queries, this.clock.now()) : allowed;
  }
}

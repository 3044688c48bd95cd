import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { MoreThan } from 'typeorm';
import { Clock } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { TrustedBrowser } from '../domain/trusted-browser';
import type { TrustedBrowserView } from '../http/views/trusted-browsers.views';
import { KnownDevices } from '../services/known-devices';

const COLUMNS = ['id', 'deviceId', 'ip', 'userAgent', 'createdAt', 'expiresAt'] as const;

/** The browsers in which the caller signs in without the second factor, newest first. */
export class ListTrustedBrowsers extends Query<Result<Page<TrustedBrowserView>>> {
  constructor(
    readonly userId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListTrustedBrowsers)
export class ListTrustedBrowsersHandler implements IQueryHandler<ListTrustedBrowsers> {
  constructor(
    private readonly reader: EntityReader,
    private readonly devices: KnownDevices,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, page }: ListTrustedBrowsers): Promise<Result<Page<TrustedBrowserView>>> {
    const where = { userId, expiresAt: MoreThan(this.clock.now()) };
    const { items, nextCursor } = await this.reader.findPage(TrustedBrowser, { select: COLUMNS, where }, page);
    const current = this.devices.idFor(userId);
    const viewOf = ({ deviceId, ...browser }: (typeof items)[number]) => ({
      ...browser,
      current: deviceId === current,
    });
    return ok({ items: items.map(viewOf), nextCursor });
  }
}

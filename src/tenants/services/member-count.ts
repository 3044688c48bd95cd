import { Injectable } from '@nestjs/common';
import { EntityReader } from '../../platform/database/entity-reader';
import { Membership } from '../domain/membership';

/** Counts the members of a tenant, for its seats. */
@Injectable()
export class MemberCount {
  constructor(private readonly reader: EntityReader) {}

  of(tenantId: string): Promise<number> {
    return this.reader.count(Membership, { scope: { tenantId }, isFresh: true, where: { tenantId } });
  }
}

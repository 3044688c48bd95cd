import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PostponedNotice, type NoticeTopic } from '../domain/postponed-notice';

/** What security emails have still to report. */
@Injectable()
export class PostponedNoticeRepository extends EntityRepository<PostponedNotice> {
  constructor(unitOfWork: UnitOfWork) {
    super(PostponedNotice, unitOfWork);
  }

  add(notice: PostponedNotice): Promise<void> {
    return this.insert(notice);
  }

  /** Those on a topic, the oldest first. */
  list({ userId, notice, about = '' }: NoticeTopic, limit: number): Promise<PostponedNotice[]> {
    return this.rows.find({ where: { userId, notice, about }, order: { id: 'ASC' }, take: limit });
  }

  async remove(notices: readonly PostponedNotice[]): Promise<void> {
    if (notices.length > 0) await this.rows.delete({ id: In(notices.map(({ id }) => id)) });
  }

  /** Deletes those that no email could report. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('createdAt', until, limit);
  }
}

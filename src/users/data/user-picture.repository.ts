import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UserPicture } from '../domain/user-picture';

/** Uploaded pictures, one of each user. */
@Injectable()
export class UserPictureRepository extends EntityRepository<UserPicture> {
  constructor(unitOfWork: UnitOfWork) {
    super(UserPicture, unitOfWork);
  }

  /** Stores a picture in place of an earlier one. */
  async put(picture: UserPicture): Promise<void> {
    await this.rows.upsert(picture, ['userId']);
  }

  async remove(userId: string): Promise<void> {
    await this.rows.delete({ userId });
  }

  findByKey(key: string): Promise<UserPicture | null> {
    return this.rows.findOneBy({ key });
  }
}

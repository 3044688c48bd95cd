import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserPictureRepository } from '../data/user-picture.repository';

/** What keys of pictures look like. Anything else is not asked for. */
const KEY = /^[\w-]{22}$/;

/** The WebP image of an uploaded picture. NOT_FOUND if it was replaced or removed. */
export class GetPicture extends Query<Result<Buffer, 'NOT_FOUND'>> {
  constructor(readonly key: string) {
    super();
  }
}

@QueryHandler(GetPicture)
export class GetPictureHandler implements IQueryHandler<GetPicture> {
  constructor(private readonly pictures: UserPictureRepository) {}

  async execute({ key }: GetPicture) {
    const picture = KEY.test(key) ? await this.pictures.findByKey(key) : null;
    return picture ? ok(picture.image) : err(PlatformFailures.notFound);
  }
}

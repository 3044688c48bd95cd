import { randomBytes } from 'node:crypto';
import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { User } from './user';

/** Long enough that the address of a picture cannot be guessed. */
const KEY_BYTES = 16;

/** The picture that a user uploaded, as it is served. */
@Entity('user_pictures')
@Unique('user_pictures_key_key', ['key'])
export class UserPicture {
  @ForeignKey(() => User, { name: 'user_pictures_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'user_pictures_pkey' })
  readonly userId!: string;
  /** Random and new for each picture, so that clients can cache it indefinitely. */
  @Column('text') readonly key!: string;
  /** A WebP file (see PictureEncoder). */
  @Column('bytea') readonly image!: Buffer;

  static of(userId: string, image: Buffer): UserPicture {
    return Object.assign(new UserPicture(), { userId, key: randomBytes(KEY_BYTES).toString('base64url'), image });
  }
}

import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/field.decorators';
import { isAdmin } from '../../domain/user';

/** An account as its owner sees it (contract section 3). */
export class UserView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @ApiProperty({ type: Boolean }) readonly isEmailVerified!: boolean;
  @NullableText() readonly pictureUrl!: string | null;
  @ApiProperty({ type: Boolean }) readonly isAdmin!: boolean;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;

  /** @param user with `isAdmin` as it is granted to the account @param isProven see isAdmin */
  static of(user: UserView, adminEmails: ReadonlySet<string>, isProven?: boolean): UserView {
    const { id, email, name, isEmailVerified, pictureUrl, createdAt } = user;
    return { id, email, name, isEmailVerified, pictureUrl, isAdmin: isAdmin(user, adminEmails, isProven), createdAt };
  }
}

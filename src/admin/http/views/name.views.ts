import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../http/validation/nullable.decorators';

const id = { type: String, format: 'uuid' };

/** The name of a user or a tenant. */
export class NameView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty({ enum: ['user', 'tenant'] }) readonly kind!: 'user' | 'tenant';
  @ApiProperty({ type: String }) readonly name!: string;
  @NullableText({ format: 'email', description: 'Email of a user; null for a tenant' }) readonly email!: string | null;
}

import { ApiProperty } from '@nestjs/swagger';
import { ArrayNotEmpty, IsArray, IsIn } from 'class-validator';
import { ALL_PERMISSIONS, type Permission } from '../../platform/permissions';
import { EachItem } from './each-item.decorator';
import { optional } from './optional.decorators';
import { field } from './typed-decorators';

/** One of a fixed set of values. */
export const ChoiceField = <C extends string>(choices: readonly C[]) =>
  field<C>(
    IsIn(choices, { message: `must be one of ${choices.join(', ')}` }),
    ApiProperty({ enum: choices as readonly string[] }),
  );

/** The same, optional, in a body or a query string. */
export const OptionalChoiceField = <C extends string>(choices: readonly C[]) => optional(ChoiceField(choices));

/** At least one of a fixed set of values. */
export const ChoicesField = <C extends string>(choices: readonly C[]) =>
  field<C[]>(
    IsArray({ message: 'must be a list' }),
    ArrayNotEmpty({ message: 'must contain at least one value' }),
    EachItem((item) => choices.some((choice) => choice === item), `must be one of ${choices.join(', ')}`),
    ApiProperty({ enum: choices as readonly string[], isArray: true, minItems: 1, example: [choices[0]] }),
  );

/** At least one permission of the catalogue. */
export const PermissionsField = () =>
  field<Permission[]>(
    IsArray({ message: 'must be a list' }),
    ArrayNotEmpty({ message: 'must contain at least one permission' }),
    EachItem(
      (item) => ALL_PERMISSIONS.some((permission) => permission === item),
      'must be a permission listed by GET /tenants/current/permissions',
    ),
    ApiProperty({ enum: ALL_PERMISSIONS, enumName: 'Permission', isArray: true, minItems: 1 }),
  );

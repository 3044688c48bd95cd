import { ChoiceField, OptionalChoiceField, PermissionsField } from '../../src/http/validation/choice-field.decorators';
import { EnumParam } from '../../src/http/validation/enum-param.decorator';
import { OptionalFlag, OptionalFlagParameter } from '../../src/http/validation/flag-field.decorators';
import { IdField, OptionalIdField } from '../../src/http/validation/id-field.decorators';
import { IdParam } from '../../src/http/validation/id-param.decorator';
import {
  DayField,
  MomentField,
  OptionalDayField,
  OptionalMomentField,
  OptionalMomentParameter,
} from '../../src/http/validation/moment-field.decorators';
import { NullableText, NullableTime } from '../../src/http/validation/nullable.decorators';
import {
  IntegerField,
  NumberField,
  OptionalIntegerField,
  OptionalNumberField,
} from '../../src/http/validation/number-field.decorators';
import { NumberParam } from '../../src/http/validation/number-param.decorator';
import { NullableField } from '../../src/http/validation/optional.decorators';
import { OptionalTokenField, TokenField } from '../../src/http/validation/secret-field.decorators';
import {
  EmailField,
  NameField,
  OptionalNameField,
  OptionalTextField,
  SearchParameter,
  TextField,
} from '../../src/http/validation/text-field.decorators';
import type { Permission } from '../../src/platform/permissions';
import { NewPasswordField, OptionalNewPasswordField } from '../../src/users/http/new-password.decorators';

// Compiled by `npm run types` only: each expected error that is missing is an error.

const SIZES = ['small', 'large'] as const;
type Size = (typeof SIZES)[number];

export class RightFields {
  @TextField(1, 9, 'a') text!: string;
  @NameField(9, 'a') name!: string;
  @EmailField() email!: string;
  @TokenField() token!: string;
  @NewPasswordField() password!: string;
  @IdField() readonly id!: string;
  @ChoiceField(SIZES) size!: Size;
  @PermissionsField() permissions!: Permission[];
  @IntegerField() integer!: number;
  @NumberField() number!: number;
  @MomentField() time!: Date;
  @DayField() day!: string;
  @OptionalIntegerField() optionalInteger?: number;
  @OptionalNumberField() optionalNumber?: number;
  @OptionalMomentField() optionalMoment?: Date;
  @OptionalDayField() optionalDay?: string;
  @NullableField(DayField()) nullableDay?: string | null;
  @OptionalTextField(1, 9, 'a') optionalText?: string;
  @OptionalNameField(9, 'a') optionalName?: string;
  @OptionalNewPasswordField('a') optionalPassword?: string;
  @OptionalTokenField() optionalToken?: string;
  @OptionalIdField() optionalId?: string;
  @OptionalChoiceField(SIZES) optionalSize?: Size;
  @OptionalFlag() optionalFlag?: boolean;
  @OptionalFlagParameter() flagParameter?: boolean;
  @OptionalMomentParameter('a') moment?: Date;
  @SearchParameter('a') search?: string;
  @NullableText() readonly nullableText!: string | null;
  @NullableTime() readonly nullableTime!: Date | null;
}

export class WrongFields {
  // @ts-expect-error a text is no number
  @TextField(1, 9, 'a') text!: number;
  // @ts-expect-error a required field is never absent
  @NameField(9, 'a') name?: string;
  // @ts-expect-error a required field is never null
  @EmailField() email!: string | null;
  // @ts-expect-error an optional text is no boolean
  @OptionalTextField(1, 9, 'a') flag?: boolean;
  // @ts-expect-error an optional field may be absent
  @OptionalTextField(1, 9, 'a') present!: string;
  // @ts-expect-error absent is undefined, not null
  @OptionalIdField() id!: string | null;
  // @ts-expect-error an optional field is never null
  @OptionalNameField(9, 'a') optionalName?: string | null;
  // @ts-expect-error the property promises fewer choices
  @ChoiceField(SIZES) size!: 'small';
  // @ts-expect-error the property promises more choices
  @OptionalChoiceField(SIZES) optionalSize?: Size | 'medium';
  // @ts-expect-error permissions are a list
  @PermissionsField() permission!: Permission;
  // @ts-expect-error a flag is no text
  @OptionalFlag() optionalFlag?: string;
  // @ts-expect-error a day is a text
  @DayField() day!: Date;
  // @ts-expect-error a nullable field may be null
  @NullableField(DayField()) nullableDay?: string;
  // @ts-expect-error a moment is a Date
  @OptionalMomentParameter('a') moment?: string;
  // @ts-expect-error null is not undefined
  @NullableText() nullableText?: string;
  // @ts-expect-error a nullable text may be null
  @NullableText() nullableString!: string;
  // @ts-expect-error a time is a Date
  @NullableTime() nullableTime!: string | null;
}

export class Parameters {
  right(@IdParam('id') id: string, @NumberParam('number') number: string, @EnumParam('size', SIZES) size: Size) {
    return [id, number, size];
  }

  wrong(
    // @ts-expect-error an id is a text
    @IdParam('id') id: number,
    // @ts-expect-error a sequence number stays a text
    @NumberParam('number') number: number,
    // @ts-expect-error the parameter promises fewer choices
    @EnumParam('size', SIZES) size: 'small',
  ) {
    return [id, number, size];
  }
}

import { TokenField } from './secret-field.decorators';

/** A body with the token of an emailed link. */
export class TokenBody {
  @TokenField() token!: string;
}

import { EmailField } from './text-field.decorators';

/** A body with an email address, to which something is sent. */
export class EmailBody {
  @EmailField() email!: string;
}

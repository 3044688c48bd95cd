import { optional } from '../../http/validation/optional.decorators';
import { LabelField } from '../../http/validation/text-field.decorators';
import type { PasskeyRegistration } from '../domain/passkey-response';
import { BytesField, CredentialIdField, ObjectField, TransportsField } from './passkey-field.decorators';

class RegistrationResponseBody {
  @BytesField(1, 4000) clientDataJSON!: string;
  @BytesField(1, 8000) attestationObject!: string;
  @optional(TransportsField()) transports?: string[];
}

/** What an authenticator returns for a new passkey. Other fields of the browser are ignored. */
class RegistrationBody implements PasskeyRegistration {
  @CredentialIdField() id!: string;
  @ObjectField(RegistrationResponseBody, 'The response of the authenticator with the new key')
  response!: RegistrationResponseBody;
}

/** The body of a rename. */
export class RenamePasskeyBody {
  @LabelField(100, 'MacBook') name!: string;
}

/** The body of a registration. */
export class RegisterPasskeyBody extends RenamePasskeyBody {
  @ObjectField(RegistrationBody, 'The result of `navigator.credentials.create()`') response!: RegistrationBody;
}

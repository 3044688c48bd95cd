import type { PasskeyAssertion } from '../domain/passkey-response';
import { BytesField, CredentialIdField, ObjectField, OptionalBytesField } from './passkey-field.decorators';

class AssertionResponseBody {
  @BytesField(1, 4000) clientDataJSON!: string;
  @BytesField(1, 2000) authenticatorData!: string;
  @BytesField(1, 2000) signature!: string;
  @OptionalBytesField(1, 100) userHandle?: string;
}

/** What an authenticator returns when it signs. Other fields of the browser are ignored. */
export class PasskeyAssertionBody implements PasskeyAssertion {
  @CredentialIdField() id!: string;
  @ObjectField(AssertionResponseBody, 'The signed response of the authenticator') response!: AssertionResponseBody;
}

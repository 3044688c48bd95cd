import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { FIELD_MESSAGES, fieldMessage } from '../../sample/src/form/field-messages';
import { AccountFailures } from '../../src/accounts/accounts.failures';
import { BillingFailures } from '../../src/billing/billing.failures';
import { DigitCodeField } from '../../src/factors/http/factor-code.decorators';
import { PermissionsField } from '../../src/http/validation/choice-field.decorators';
import { EmailField } from '../../src/http/validation/text-field.decorators';
import type { Permission } from '../../src/platform/permissions';
import { findPasswordProblem } from '../../src/users/domain/password-rules';

const EMAIL = 'ada.lovelace@example.com';
const PASSWORDS = ['short', '        ', 'aaaaaaaaa', 'password', EMAIL, 'ada.lovelace1815'];

class Body {
  @EmailField() email = 'no address';
  @DigitCodeField() code = '12345';
  @PermissionsField() permissions: Permission[] = [];
}

/** The texts of the API that the sample client replaces. */
function textsOfApi(): string[] {
  const passwordProblems = PASSWORDS.map((password) => String(findPasswordProblem(password, { email: EMAIL })));
  const bodyProblems = validateSync(new Body()).flatMap(({ constraints }) => Object.values(constraints ?? {}));
  const { promotionCodeUnknown, promotionCodeRefused } = BillingFailures;
  const codeProblems = [promotionCodeUnknown, promotionCodeRefused].flatMap(({ details }) => details.promotionCode);
  return [...passwordProblems, ...bodyProblems, ...codeProblems, ...AccountFailures.sameEmail.details.email];
}

describe('The field messages of the sample client', () => {
  it('replace texts that the API returns, each word for word', () =>
    expect(Object.keys(FIELD_MESSAGES).sort()).toEqual(textsOfApi().sort()));

  it('turn any other text into a sentence', () => expect(fieldMessage('must be a UUID')).toBe('Must be a UUID.'));
});

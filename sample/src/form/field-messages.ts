/** Messages for texts of the API that end users should read in other words. */
export const FIELD_MESSAGES: Readonly<Record<string, string>> = {
  'must be an email address': 'Enter a valid email address.',
  'must be 8 to 128 characters long': 'Use 8 to 128 characters.',
  'must not consist of spaces only': 'Your password can’t be only spaces.',
  'must not be one repeated character': 'Your password can’t be one repeated character.',
  'is too common, choose another one': 'This password is too common. Choose another one.',
  'must not be the email address': 'Don’t use your email address as the password.',
  'must not be based on the email address': 'This password is too similar to your email address.',
  'is already the address of your account': 'This is already your email address.',
  'must be 6 digits': 'Enter the 6 digits of the code.',
  'is unknown, or no longer valid': 'This code isn’t valid. Check it for typos.',
  'cannot be used for this subscription': 'This code can’t be used for this subscription.',
  'must contain at least one permission': 'Select at least one permission.',
};

/**
 * The message below a field.
 * @param text the text of the API: lower case, without a subject or a final period
 */
export const fieldMessage = (text: string): string =>
  FIELD_MESSAGES[text] ?? `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

/**
 * What happens to an account when its owner secures it, or undoes a change of its address: the
 * rest of a sentence, and two more.
 * @param when what the three days are counted from
 */
export const recoveryText = (when: 'ago' | 'before the change') =>
  'all devices are signed out, and your password, passkeys and linked sign-in providers are removed. ' +
  `An authenticator app stays only if it was added more than three days ${when}. You then set a new password.`;

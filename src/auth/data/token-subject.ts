import { columns, select } from '../../platform/database/select-list';
import { User } from '../../users/users.api';
import { Session } from '../domain/session';

const SUBJECT_FIELDS = ['id', 'email', 'name', 'isEmailVerified', 'isAdmin'] as const;
/** What the session has proven, on which admin access depends. */
const PROOF_FIELDS = ['isProven', 'secondFactorAt'] as const;

/** The user of an access token. Every rotation reads it again, so that claims are never stale. */
export type TokenSubject = Pick<User, (typeof SUBJECT_FIELDS)[number]> & Pick<Session, (typeof PROOF_FIELDS)[number]>;

/** Of a user `u` and a session `s`. */
export const SUBJECT = select<TokenSubject>()({
  ...columns(User, 'u', SUBJECT_FIELDS),
  ...columns(Session, 's', PROOF_FIELDS),
});
/** Of a sub-select `session` that has them. */
export const SUBJECT_OF_SESSION = [...SUBJECT_FIELDS, ...PROOF_FIELDS].map((field) => `session."${field}"`).join(', ');

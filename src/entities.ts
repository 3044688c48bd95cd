import { OneTimeToken } from './auth/domain/one-time-token';
import { RefreshToken, Session } from './auth/domain/session';
import { User } from './users/domain/user';

/** Every table that the service knows; a test finds an entity that is missing here. */
export const ENTITY_CLASSES = [User, Session, RefreshToken, OneTimeToken];

import { textOf, type Passkey } from '../domain/passkey';

/** The columns of a passkey that responses show. */
export const PASSKEY_COLUMNS = [
  'id',
  'name',
  'isBackedUp',
  'createdAt',
  'lastUsedAt',
] as const satisfies readonly (keyof Passkey)[];

/** A passkey as responses show it. */
export const passkeyView = ({ id, name, isBackedUp, createdAt, lastUsedAt }: PasskeyColumns) => ({
  id: textOf(id),
  name,
  isBackedUp,
  createdAt,
  lastUsedAt,
});

type PasskeyColumns = Pick<Passkey, (typeof PASSKEY_COLUMNS)[number]>;

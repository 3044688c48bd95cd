import { Chip, type ChipProps } from '@mui/material';
import type { ReactNode } from 'react';
import { MONOSPACE } from '../form/code-fields';
import { ListRow } from '../list/list-row';
import type { ApiKey } from './key-queries';
import { keyLimitsText, keyState, type KeyState, keyUseText } from './key-texts';
import { UsedNetworks } from './used-networks';

const CHIPS: Readonly<Record<KeyState, Pick<ChipProps, 'label' | 'color'>>> = {
  active: { label: 'Active', color: 'success' },
  replaced: { label: 'Replaced', color: 'warning' },
  expired: { label: 'Expired', color: 'default' },
  revoked: { label: 'Revoked', color: 'default' },
};

interface KeyRowProps {
  readonly apiKey: ApiKey;
  /** Whose it is, or for which workspace. */
  readonly about?: ReactNode;
  /** Buttons. */
  readonly children?: ReactNode;
}

/** A key or a personal token: what it may do, from where, and whether it is used. */
export function KeyRow({ apiKey, about, children }: KeyRowProps) {
  const { name, hint, permissions } = apiKey;
  const title = (
    <>
      {name}
      <code style={{ fontFamily: MONOSPACE, fontWeight: 400 }}>…{hint}</code>
      <Chip size="small" variant="outlined" {...CHIPS[keyState(apiKey)]} />
    </>
  );
  const text = (
    <>
      {about && <div>{about}</div>}
      <div>{keyUseText(apiKey)}</div>
      <UsedNetworks apiKey={apiKey} />
      <div>{permissions.join(', ')}</div>
      <div>{keyLimitsText(apiKey)}</div>
    </>
  );
  return (
    <ListRow title={title} text={text}>
      {children}
    </ListRow>
  );
}

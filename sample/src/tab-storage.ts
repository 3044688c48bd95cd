interface TabStorage {
  /** @returns undefined if there is none */
  readonly read: () => string | undefined;
  readonly write: (value: string) => void;
  readonly remove: () => void;
}

/** A value that this tab keeps over reloads. In browsers that block storage nothing is kept. */
export function tabStorage(name: string): TabStorage {
  const key = `tenantry.sample.${name}`;
  return {
    read: () => attempt(() => sessionStorage.getItem(key)) ?? undefined,
    write: (value) => attempt(() => sessionStorage.setItem(key, value)),
    remove: () => attempt(() => sessionStorage.removeItem(key)),
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

import { getMetadataStorage } from 'class-validator';

/**
 * Keeps the rules of each class that class-validator has collected. It would collect them again for
 * each object, and compare the class with all classes that have rules, to find those that it
 * extends (docs/decisions/0062-lookups-by-key.md). Rules of a group, and of nested objects, are not
 * kept.
 */
export function keepRulesOfClasses(): void {
  const storage = getMetadataStorage();
  if (Object.hasOwn(storage, 'getTargetValidationMetadatas')) return; // another application does it already
  const collect = storage.getTargetValidationMetadatas.bind(storage);
  const kept = new Map<unknown, ReturnType<typeof collect>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (typeof target !== 'function' || schema || always || strictGroups || groups?.length)
      return collect(target, schema, always, strictGroups, groups);
    let rules = kept.get(target);
    if (!rules) kept.set(target, (rules = collect(target, schema, always, strictGroups)));
    return rules;
  };
}

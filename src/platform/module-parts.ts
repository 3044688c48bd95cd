import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ModuleMetadata, Type } from '@nestjs/common';
import { isController, isProvider } from './class-roles';
import { exportedClasses, filesBelow } from './source-classes';

/** What a module class declares besides the modules that it imports. */
type ModuleParts = Required<Pick<ModuleMetadata, 'controllers' | 'providers' | 'exports'>>;

/**
 * The controllers and providers of a module: the classes in its folders that are marked so. It
 * exports those that its `<module>.api.ts` exports.
 * @param folder `__dirname` of the module's file
 */
export function moduleParts(folder: string): ModuleParts {
  const classes = [...new Set(filesBelow(folder).flatMap(exportedClasses))] as Type[];
  const providers = classes.filter(isProvider);
  const api = new Set<unknown>(apiFiles(folder).flatMap(exportedClasses));
  return { controllers: classes.filter(isController), providers, exports: providers.filter((one) => api.has(one)) };
}

/** The public face of a module. A module that no other imports has none. */
function apiFiles(folder: string): string[] {
  const names = ['js', 'ts'].map((ending) => `${basename(folder)}.api.${ending}`);
  return readdirSync(folder)
    .filter((name) => names.includes(name))
    .map((name) => join(folder, name));
}

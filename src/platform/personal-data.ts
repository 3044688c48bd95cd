import { Injectable } from '@nestjs/common';
import type { EntityClass } from './database/database-options';
import type { Page, PageRequest } from './pagination';

/** Whose data is exported. */
export interface DataSubject {
  readonly userId: string;
  readonly email: string;
}

/** A part of the export of a person's data. */
export interface PersonalDataPart {
  /** Its key in the file. */
  readonly name: string;
  /** Reads a page of up to `limit` items, without secrets. */
  readonly read: (subject: DataSubject, page: PageRequest) => Promise<Page<object>>;
}

/** A list that has one page. */
export const onePage = (items: readonly object[]): Page<object> => ({ items: [...items], nextCursor: null });

/**
 * What the modules store about a person. Each module supplies its parts of the export, and names
 * the tables that are not exported: a table that refers to accounts and is neither fails a test.
 */
@Injectable()
export class PersonalData {
  private readonly supplied: { part: PersonalDataPart; entities: readonly EntityClass[] }[] = [];
  private readonly kept = new Map<EntityClass, string>();

  /** Adds a part. @param entities the tables that it exports */
  supply(entities: readonly EntityClass[], part: PersonalDataPart): void {
    if (this.parts.some(({ name }) => name === part.name)) throw new Error(`Two parts are named ${part.name}.`);
    this.supplied.push({ part, entities });
  }

  /** Declares that a table is not exported. */
  withhold(entity: EntityClass, reason: string): void {
    this.kept.set(entity, reason);
  }

  /** The parts in the order of modules. */
  get parts(): readonly PersonalDataPart[] {
    return this.supplied.map(({ part }) => part);
  }

  /** The tables that a part exports. */
  get exported(): readonly EntityClass[] {
    return this.supplied.flatMap(({ entities }) => entities);
  }

  /** The tables that no part exports, with the reasons. */
  get withheld(): ReadonlyMap<EntityClass, string> {
    return this.kept;
  }
}

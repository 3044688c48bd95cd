import { getMetadataArgsStorage } from 'typeorm';
import type { EntityClass } from './platform/database/database-options';
import { sourceClasses } from './platform/source-classes';

const inDomain = sourceClasses('domain');
const marked = new Set(getMetadataArgsStorage().tables.map(({ target }) => target));

/** Every entity: the classes marked @Entity in the `domain` folders. */
export const ENTITY_CLASSES = inDomain.filter((domainClass) => marked.has(domainClass)) as EntityClass[];

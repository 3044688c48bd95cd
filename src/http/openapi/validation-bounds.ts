import { getMetadataStorage } from 'class-validator';
import { API_PROPERTY } from '../validation/optional.decorators';

/** What class-validator keeps of a rule. */
interface Rule {
  readonly propertyName: string;
  readonly name?: string;
  readonly constraints?: readonly unknown[];
  /** The rule is about each item of a list. */
  readonly each?: boolean;
}
/** What @nestjs/swagger keeps of a property. */
interface Described {
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly enum?: unknown;
  readonly anyOf?: readonly Described[];
}
type Kind = 'text' | 'number' | 'list';

/** What a rule says in a schema of one kind, by the name of the rule. */
const BOUNDS: Readonly<Record<string, readonly [kind: Kind, bounds: (...constraints: never[]) => object]>> = {
  isLength: ['text', (minLength: number, maxLength?: number) => ({ minLength, maxLength })],
  minLength: ['text', (minLength: number) => ({ minLength })],
  maxLength: ['text', (maxLength: number) => ({ maxLength })],
  isUuid: ['text', () => ({ format: 'uuid' })],
  min: ['number', (minimum: number) => ({ minimum })],
  max: ['number', (maximum: number) => ({ maximum })],
  arrayNotEmpty: ['list', () => ({ minItems: 1 })],
  arrayMinSize: ['list', (minItems: number) => ({ minItems })],
  arrayMaxSize: ['list', (maxItems: number) => ({ maxItems })],
};

/**
 * Adds what validation enforces to the description of each property of bodies and queries, so that
 * the API document says it. What a property says itself stays. Call it before the document is made.
 */
export function describeValidation(): void {
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    validationMetadatas: ReadonlyMap<unknown, readonly Rule[]>;
  };
  for (const [target, rules] of validationMetadatas) {
    if (typeof target !== 'function') continue;
    const prototype = target.prototype as object;
    for (const name of new Set(rules.map(({ propertyName }) => propertyName))) {
      const described = Reflect.getOwnMetadata(API_PROPERTY, prototype, name) as Described | undefined;
      const ofProperty = rules.filter(({ propertyName, each }) => propertyName === name && !each);
      if (described) Reflect.defineMetadata(API_PROPERTY, withBounds(described, ofProperty), prototype, name);
    }
  }
}

/** A description with the bounds of rules, which stand in its first alternative if it has some. */
export function withBounds(described: Described, rules: readonly Omit<Rule, 'propertyName'>[]): Described {
  const { anyOf: [first, ...others] = [] } = described;
  if (first) return { ...described, anyOf: [withBounds(first, rules), ...others] };
  const bounds = rules.map(({ name = '', constraints = [] }) => {
    const [kind, boundsOf] = BOUNDS[name] ?? [];
    return kind === kindOf(described) ? boundsOf?.(...(constraints as never[])) : {};
  });
  return Object.assign({}, ...bounds, described) as Described;
}

function kindOf({ type, isArray, enum: values }: Described): Kind | undefined {
  if (isArray || type === 'array' || Array.isArray(type)) return 'list';
  if (values !== undefined) return undefined;
  if (type === String || type === 'string') return 'text';
  return type === Number || type === 'number' || type === 'integer' ? 'number' : undefined;
}

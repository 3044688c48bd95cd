import { FIELD_TYPES, type FieldType } from './field-types';
import { refuse } from './make-refusal';
import { problemOfFieldName } from './reserved-words';

/** A field of a new module. */
export interface MakeField extends FieldType {
  readonly name: string;
  /** Whether it may be null, and may be left out. */
  readonly isNullable: boolean;
}

/** Whether a row cannot be created without it. */
export const isRequired = ({ isNullable, initially }: MakeField): boolean => !isNullable && initially === undefined;

/** The type of the property, with null. */
export const propertyType = ({ type, isNullable }: MakeField): string => (isNullable ? `${type} | null` : type);

/**
 * Reads `name:type` and `name:type?`.
 * @param texts the arguments of the command line
 * @throws a Refusal if there is none, or for a wrong name, an unknown type or a repeated field
 */
export function readFields(texts: readonly string[]): MakeField[] {
  if (texts.length === 0) refuse('Give at least one field, such as `name:text`.');
  const fields = texts.map(readField);
  const repeated = fields.find(({ name }, index) => fields.findIndex((other) => other.name === name) < index);
  if (repeated) refuse(`The field ${repeated.name} is given twice.`);
  return fields;
}

function readField(text: string): MakeField {
  const [, name, typeName, mark] = /^(\w+):(\w+)(\??)$/.exec(text) ?? [];
  if (!name) refuse(`"${text}" is not a field. Write a name and a type, such as \`name:text\` or \`due:moment?\`.`);
  const problem = problemOfFieldName(name);
  if (problem) refuse(`The field ${name} ${problem}`);
  if (!Object.hasOwn(FIELD_TYPES, typeName))
    refuse(`The field ${name} has the unknown type ${typeName}. There are ${Object.keys(FIELD_TYPES).join(', ')}.`);
  const type = FIELD_TYPES[typeName];
  if (mark && type.initially !== undefined)
    refuse(`The field ${name} cannot be left empty: a ${typeName} is ${type.initially} if it is not given.`);
  return { ...type, name, isNullable: mark === '?' };
}

import * as ts from 'typescript';
import { isRequired, propertyType, type MakeField } from './make-fields';

/** The declarations of fields that differ by their type, as TypeScript. */
type Declare = (field: MakeField) => string;

const column: Declare = (field) => {
  const options = field.isNullable ? ', { nullable: true }' : '';
  return `@Column('${field.column}'${options}) ${field.name}!: ${propertyType(field)};`;
};

const viewProperty: Declare = (field) => {
  const schema = field.isNullable ? `anyOf: [{ ${field.schema} }, { type: 'null' }]` : field.schema;
  return `@ApiProperty({ ${schema}, example: ${field.example} }) readonly ${field.name}!: ${propertyType(field)};`;
};

const newBodyField: Declare = (field) =>
  isRequired(field) ? `@${field.field} ${field.name}!: ${field.type};` : changeBodyField(field);

const changeBodyField: Declare = (field) => {
  const decorator = field.isNullable ? `NullableField(${field.field})` : field.optionalField;
  return `@${decorator} ${field.name}?: ${propertyType(field)};`;
};

const newProperty: Declare = (field) =>
  isRequired(field) ? `readonly ${field.name}: ${field.type};` : changeProperty(field);

const changeProperty: Declare = (field) => `readonly ${field.name}?: ${propertyType(field)};`;

/** How fields are declared in a class or interface of the example, by its name or decorator. */
export function declarationsOf(declared: ts.ClassDeclaration | ts.InterfaceDeclaration): Declare {
  const name = declared.name?.text ?? '';
  if (ts.isInterfaceDeclaration(declared)) {
    if (name.startsWith('New')) return newProperty;
    if (name.endsWith('Changes')) return changeProperty;
  } else {
    if (/^@Entity\(/m.test(declared.getText())) return column;
    if (name.endsWith('View')) return viewProperty;
    if (/^Create.*Body$/.test(name)) return newBodyField;
    if (/^Change.*Body$/.test(name)) return changeBodyField;
  }
  throw new Error(`The example lists its fields in ${name}, which the generator does not know.`);
}

/** The parameter of a new row: what is not required has a default. */
export const newParameter: Declare = (field) =>
  isRequired(field) ? field.name : `${field.name} = ${field.isNullable ? 'null' : field.initially!}`;

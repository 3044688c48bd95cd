/** What the generator knows of a type of fields. All texts are TypeScript. */
export interface FieldType {
  /** The type of the property. */
  readonly type: string;
  /** The type of the column. */
  readonly column: string;
  /** What a new row has if the field is not given; undefined: it must be given. */
  readonly initially?: string;
  /** The decorators of a field in a body, and of one that may be absent. */
  readonly field: string;
  readonly optionalField: string;
  /** The file of these decorators. */
  readonly decorators: string;
  /** The OpenAPI schema of a value, and an example. */
  readonly schema: string;
  readonly example: string;
  /** Values for the tests. */
  readonly tests: {
    /** The value of a new row, as it is sent and as it is shown. */
    readonly sent: string;
    readonly shown: string;
    readonly changed: string;
    readonly accepted: readonly string[];
    readonly refused: readonly string[];
  };
}

const texts = (most: number): FieldType['tests'] => ({
  sent: `'  First '`,
  shown: `'First'`,
  changed: `'Second'`,
  accepted: [`'x'.repeat(${most})`],
  refused: [`''`, `' '`, `'x'.repeat(${most + 1})`, '7'],
});
const same = (value: string, changed: string, accepted: readonly string[], refused: readonly string[]) => ({
  sent: value,
  shown: value,
  changed,
  accepted,
  refused,
});

/** The decorators of a field that must be given, and of one that may be absent. */
const decoratedBy = (file: string, name: string, parameters = '') => ({
  field: `${name}(${parameters})`,
  optionalField: `Optional${name}(${parameters})`,
  decorators: `src/http/validation/${file}.decorators`,
});
const text = (decorator: string, most: string, tests: FieldType['tests']): FieldType => ({
  type: 'string',
  column: 'text',
  ...decoratedBy('text-field', decorator, `${most}, 'Example'`),
  schema: `type: 'string'`,
  example: `'Example'`,
  tests,
});

/** The types of fields by the names that the command line takes. */
export const FIELD_TYPES: Readonly<Record<string, FieldType>> = {
  text: text('TextField', '1, 200', texts(200)),
  name: text('NameField', '100', texts(100)),
  integer: {
    type: 'number',
    column: 'integer',
    ...decoratedBy('number-field', 'IntegerField'),
    schema: `type: 'integer'`,
    example: '42',
    tests: same('1', '2', ['-2_147_483_647', '2_147_483_647'], ['1.5', `'1'`, '2_147_483_648']),
  },
  number: {
    type: 'number',
    column: 'double precision',
    ...decoratedBy('number-field', 'NumberField'),
    schema: `type: 'number'`,
    example: '1.5',
    tests: same('1.5', '-2.25', ['1e300'], [`'1.5'`]),
  },
  flag: {
    type: 'boolean',
    column: 'boolean',
    initially: 'false',
    ...decoratedBy('flag-field', 'OptionalFlag'),
    optionalField: 'OptionalFlag()',
    schema: `type: 'boolean'`,
    example: 'false',
    tests: same('true', 'false', ['true'], [`'yes'`]),
  },
  moment: {
    type: 'Date',
    column: 'timestamptz',
    ...decoratedBy('moment-field', 'MomentField'),
    schema: `type: 'string', format: 'date-time'`,
    example: `'2026-01-31T09:30:00.000Z'`,
    tests: same(`'2026-01-31T09:30:00.000Z'`, `'2026-02-28T00:00:00.000Z'`, [], [`'2026-01-31'`, '0']),
  },
  day: {
    type: 'string',
    column: 'date',
    ...decoratedBy('moment-field', 'DayField'),
    schema: `type: 'string', format: 'date'`,
    example: `'2026-01-31'`,
    tests: same(`'2026-01-31'`, `'2026-02-28'`, [`'2024-02-29'`], [`'2026-02-29'`, '0']),
  },
};

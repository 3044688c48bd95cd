/** What pg's types do not show of a result: what it makes of a description of the columns. */
export interface InternalResult {
  fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  _parsers?: readonly unknown[];
  _prebuiltEmptyResultObject: object | null;
}

type Description = Pick<InternalResult, 'fields' | '_parsers' | '_prebuiltEmptyResultObject'>;

/** One for all connections that were told the same, by the name of the statement. */
const shared = new Map<string, Description>();

/**
 * The columns of the results of one connection's prepared statements, which PostgreSQL describes
 * once. They cannot change: PostgreSQL refuses a statement whose columns a migration has changed
 * (`isStalePlan`), and it gets another name.
 */
export class ResultDescriptions {
  private readonly known = new Map<string, Description>();

  /** Gives a result its columns. @returns false if PostgreSQL must describe them */
  apply(name: string | undefined, result: InternalResult): boolean {
    const description = name === undefined ? undefined : this.known.get(name);
    if (description) Object.assign(result, description);
    return description !== undefined;
  }

  /** Keeps the columns of a result that PostgreSQL has described. */
  keep(name: string | undefined, { fields, _parsers, _prebuiltEmptyResultObject }: InternalResult): void {
    if (name === undefined) return;
    const before = shared.get(name);
    const description = before && isSame(before, fields) ? before : { fields, _parsers, _prebuiltEmptyResultObject };
    shared.set(name, description);
    this.known.set(name, description);
  }
}

const isSame = ({ fields: before }: Description, fields: Description['fields']) =>
  before.length === fields.length &&
  fields.every(({ name, dataTypeID }, n) => before[n].name === name && before[n].dataTypeID === dataTypeID);

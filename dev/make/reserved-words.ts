const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Words of TypeScript that cannot name a variable. */
const TYPESCRIPT = words(`
  any arguments as async await boolean break case catch class const constructor continue debugger declare default
  delete do else enum eval export extends false finally for from function get if implements import in infer
  instanceof interface keyof let module namespace never new null number object of package private protected public
  readonly require return set static string super switch symbol this throw true try type typeof undefined unknown
  var void while with yield`);

/** Words of SQL that cannot name a table or a column without quotes (PostgreSQL 18). */
const SQL = words(`
  all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation
  column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze
  from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like
  limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary
  references returning right select session_user similar some symmetric system_user table tablesample then to
  trailing true union unique user using variadic verbose when where window with`);

/** Names that the code around the fields of the example uses. */
const OF_EXAMPLE = words('action by change changes create createdAt details id now target tenantId');

/** Folders of src that are no modules, and words of the routes. */
const OF_SOURCE = words('config current http platform');

/** Types of TypeScript: words that variables and properties may still have as a name. */
const TYPE_NAMES = words('any boolean from get module number object of set string symbol type unknown as async');

/** Why a word cannot be a property and a column; undefined if it can. */
export function problemOfFieldName(name: string): string | undefined {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name) || name.length > 40)
    return 'must begin with a small letter and contain letters and digits only, at most 40.';
  if (OF_EXAMPLE.has(name)) return 'is one that every entity has, or a word of the code around it.';
  if (TYPESCRIPT.has(name) && !TYPE_NAMES.has(name)) return 'is a word of TypeScript.';
  return SQL.has(name.toLowerCase()) ? 'is a word of SQL.' : undefined;
}

/** Why a name with hyphens cannot be that of a module or of one of its rows. */
export function problemOfModuleName(name: string): string | undefined {
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name) || name.length > 30)
    return 'must be words in small letters with hyphens, at most 30 characters.';
  if (/ing$/.test(name)) return 'ends in -ing, which hides what it is about.';
  if (OF_SOURCE.has(name)) return 'is the name of something else in src.';
  if (TYPESCRIPT.has(name)) return 'is a word of TypeScript.';
  return SQL.has(name) ? 'is a word of SQL.' : undefined;
}

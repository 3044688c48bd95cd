/** The type itself if it survives being stored as JSON. */
type Jsonable<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends (...parameters: never[]) => unknown
    ? never
    : { [K in keyof T]: Jsonable<T[K]> };

/** The public fields of an object, where those that are not JSON have no possible value. */
export type JsonFields<C> = { [K in keyof C as K extends string ? K : never]: Jsonable<C[K]> };

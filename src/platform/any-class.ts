/** Any class, abstract ones included. */
export type AnyClass = abstract new (...parameters: never[]) => object;

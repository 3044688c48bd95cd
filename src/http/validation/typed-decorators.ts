/** Shown by the compiler: the type that the decorated property or parameter must have. */
export interface MustBe<T> {
  readonly 'must have exactly this type': T;
}

/** Whether each of two types can be assigned to the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** A decorator that compiles only on properties of the type T, `undefined` and `null` included. */
export interface FieldDecorator<T> {
  <O extends object, K extends keyof O & string>(
    target: Same<O[K], T> extends true ? O : Record<K, MustBe<T>>,
    key: K,
  ): void;
}

/** A decorator that compiles only on parameters of the type T. */
export interface TypedParameterDecorator<T> {
  <O extends object, K extends keyof O & string, I extends number>(
    target: Same<ParameterOf<O[K], I>, T> extends true ? O : Record<K, MustBe<T>>,
    method: K,
    index: I,
  ): void;
}

type ParameterOf<M, I extends number> = M extends (...parameters: infer P) => unknown ? P[I] : never;

/** Joins decorators into one for properties of the type T. They are applied in this order. */
export function field<T>(...decorators: readonly ((target: never, key: never) => void)[]): FieldDecorator<T> {
  return (target, key) => {
    for (const decorate of decorators) (decorate as PropertyDecorator)(target, key);
  };
}

import type { Type } from '@nestjs/common';
import type { PlatformFailures } from '../../platform/platform.failures';
import type { Err, Failure, Ok } from '../../platform/result';
import type { TenantActor } from '../access/actor';
import type { WrittenResponse } from '../responses/written-response';
import type { Page } from '../../platform/pagination';

/** The part of a declaration that concerns types. */
export interface DeclaredResponse {
  readonly data?: Type | null;
  readonly list?: boolean;
  readonly failures?: readonly Failure[];
  readonly redirectFailures?: readonly Failure[];
}

/** A decorator that compiles only on methods that return what `S` declares. */
export type ResponseDecorator<S extends DeclaredResponse> = <M extends (...parameters: never[]) => unknown>(
  target: object,
  key: string,
  descriptor: TypedPropertyDescriptor<M> & Mismatch<S, M>,
) => void;

type Code<F extends keyof typeof PlatformFailures> = (typeof PlatformFailures)[F]['code'];

/** Failures that the document adds by the kind of route; see `openapi-failures.ts`. */
type SharedCode = Code<
  | 'validation'
  | 'unauthenticated'
  | 'accessTokenExpired'
  | 'sessionEnded'
  | 'stepUpRequired'
  | 'forbidden'
  | 'rateLimited'
  | 'internal'
  | 'unavailable'
>;

/** Shown by the compiler: what the declaration and the method do not have in common. */
type Mismatch<S extends DeclaredResponse, M> = M extends (...parameters: infer P) => infer R
  ? Complain<'the view is not what the method returns', WrongView<S, ValueOf<Awaited<R>>>> &
      Complain<'failures are not declared', Exclude<CodesOf<Awaited<R>>, DeclaredCode<S> | SharedCode>> &
      Complain<
        'failures are declared, but never returned',
        Exclude<DeclaredCode<S>, CodesOf<Awaited<R>> | CodesOfParameters<P>>
      >
  : never;

type Complain<Text extends string, Wrong> = [Wrong] extends [never] ? unknown : { readonly [T in Text]: Wrong };

type DeclaredCode<S> =
  | (S extends { readonly failures: readonly Failure<infer C>[] } ? C : never)
  | (S extends { readonly redirectFailures: readonly Failure<infer C>[] } ? C : never);

/** The value of a success; a method may also return it as it is. */
type ValueOf<R> = R extends Ok<infer T> ? (T extends WrittenResponse<infer V> ? V : T) : R extends Err ? never : R;
type CodesOf<R> = R extends Err<infer Code> ? Code : never;

/** A caller without an active tenant gets NOT_FOUND. */
type CodesOfParameters<P extends readonly unknown[]> = [Extract<P[number], TenantActor>] extends [never]
  ? never
  : Code<'notFound'>;

/** The returned value, if it is not what `data` declares. More fields are found by the tests. */
type WrongView<S, T> = S extends { readonly data: infer D }
  ? Exclude<T, D extends Type<infer View> ? (S extends { readonly list: true } ? Page<View> : View) : void | null>
  : never;

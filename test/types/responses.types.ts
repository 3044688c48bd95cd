import type { TenantActor } from '../../src/http/access/actor';
import { Responds } from '../../src/http/openapi/openapi-responses.decorator';
import type { Page } from '../../src/platform/pagination';
import { PlatformFailures } from '../../src/platform/platform.failures';
import { err, ok, type Result } from '../../src/platform/result';

// Compiled by `npm run types` only: each expected error that is missing is an error.

class NoteView {
  readonly id!: string;
  readonly text!: string;
}
class OtherView {
  readonly id!: string;
  readonly title!: string;
}

declare const note: Promise<Result<NoteView, 'NOT_FOUND'>>;
declare const notes: Promise<Result<Page<NoteView>>>;
declare const nothing: Promise<Result<void, 'NOT_FOUND' | 'UNAVAILABLE'>>;
declare const conflict: Promise<Result<NoteView, 'NOT_FOUND' | 'CONFLICT'>>;
declare const anyFailure: Promise<Result<NoteView, string>>;
const { notFound } = PlatformFailures;
const summary = 'A route';

export class RightResponses {
  @Responds({ summary, data: NoteView, failures: [notFound] })
  one() {
    return note;
  }

  @Responds({ summary, data: NoteView, list: true })
  list() {
    return notes;
  }

  @Responds({ summary, data: null, failures: [notFound] })
  none() {
    return nothing;
  }

  @Responds({ summary, data: NoteView, list: true, failures: [notFound] })
  withoutTenant(_actor: TenantActor) {
    return notes;
  }

  @Responds({ summary, data: NoteView })
  plain() {
    return { id: 'a', text: 'b' };
  }

  @Responds({ summary, data: NoteView, failures: [notFound] })
  direct(id: string) {
    return id ? ok({ id, text: 'b' }) : err(notFound);
  }

  @Responds({ summary, redirects: 'To a page', redirectFailures: [notFound] })
  redirect() {
    return note;
  }
}

export class WrongResponses {
  // @ts-expect-error another view
  @Responds({ summary, data: OtherView, failures: [notFound] })
  other() {
    return note;
  }

  // @ts-expect-error a page of the view
  @Responds({ summary, data: NoteView })
  page() {
    return notes;
  }

  // @ts-expect-error one view, no page
  @Responds({ summary, data: NoteView, list: true, failures: [notFound] })
  single() {
    return note;
  }

  // @ts-expect-error a view in place of an empty success
  @Responds({ summary, data: null, failures: [notFound] })
  tooMuch() {
    return note;
  }

  // @ts-expect-error an empty success in place of a view
  @Responds({ summary, data: NoteView, failures: [notFound] })
  tooLittle() {
    return nothing;
  }

  // @ts-expect-error NOT_FOUND is not declared
  @Responds({ summary, data: NoteView })
  undeclared() {
    return note;
  }

  // @ts-expect-error CONFLICT is not declared
  @Responds({ summary, data: NoteView, failures: [notFound] })
  partlyDeclared() {
    return conflict;
  }

  // @ts-expect-error any failure could be returned
  @Responds({ summary, data: NoteView, failures: [notFound] })
  wide() {
    return anyFailure;
  }

  // @ts-expect-error NOT_FOUND is never returned
  @Responds({ summary, data: NoteView, list: true, failures: [notFound] })
  neverReturned() {
    return notes;
  }

  // @ts-expect-error NOT_FOUND of a redirect is never returned
  @Responds({ summary, redirects: 'To a page', redirectFailures: [notFound] })
  redirect() {
    return notes;
  }

  // @ts-expect-error the type is unknown
  @Responds({ summary, data: NoteView })
  untyped() {
    return JSON.parse('{}') as unknown;
  }
}

/** What may fail says how. */
export function results(): Result[] {
  // @ts-expect-error a Result without codes always succeeds
  const always: Result = err(notFound);
  // @ts-expect-error another code
  const other: Result<void, 'CONFLICT'> = err(notFound);
  const right: Result<void, 'CONFLICT' | 'NOT_FOUND'> = err(notFound);
  return right.ok ? [always, right] : [other as Result];
}

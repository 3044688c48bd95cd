import type { OpenAPIObject } from '@nestjs/swagger';
import type { ActorName } from './actors';
import type { FuzzRandom } from './fuzz-random';
import { mutate } from './mutations';
import type { Operation } from './operations';
import type { Prepared } from './preparations';
import type { FuzzRequest } from './request';
import { SchemaSamples } from './schema-samples';
import { PASSWORD } from './fixtures';
import type { Ids, TestTenants } from './test-tenants';

/**
 * Share of requests with ids of another tenant, with unknown ids, and with the email of an account.
 */
const FOREIGN = 0.15;
const UNKNOWN = 0.1;
const REGISTERED = 0.3;

/** The actor and the test tenants of a request. */
export interface Caller {
  readonly actor: ActorName;
  readonly tenants: TestTenants;
  /** undefined for `nobody`. */
  readonly token: string | undefined;
}

/** Generates requests of an operation: valid ones, and mutations of them. */
export class RequestGenerator {
  private readonly samples: SchemaSamples;

  constructor(
    document: OpenAPIObject,
    private readonly random: FuzzRandom,
  ) {
    this.samples = new SchemaSamples(document, random);
  }

  /**
   * A request that succeeds if the actor has the permission: required fields only, existing ids, no
   * mutation.
   */
  plain(operation: Operation, caller: Caller, prepared: Prepared): FuzzRequest {
    const { tenants } = caller;
    return this.request(operation, caller, prepared, { ...tenants.own, ...prepared.ids }, knownIn(tenants.own), 0);
  }

  /** A random request. */
  next(operation: Operation, caller: Caller, prepared: Prepared): FuzzRequest {
    const { own, foreign, users } = caller.tenants;
    const [isForeign, isUnknown, isRegistered] = [FOREIGN, UNKNOWN, REGISTERED].map((share) =>
      this.random.happens(share),
    );
    const ids = isUnknown ? {} : isForeign ? foreign : { ...own, ...prepared.ids };
    const known = { ...knownIn(isForeign ? foreign : own), ...(isRegistered ? { email: users.member.email } : {}) };
    const request = mutate(this.request(operation, caller, prepared, ids, known, 0.4), this.random);
    return { ...request, isForeign: reaches(request, foreignTo(caller)) };
  }

  private request(
    operation: Operation,
    caller: Caller,
    prepared: Prepared,
    ids: Ids,
    known: object,
    optional: number,
  ): FuzzRequest {
    const { method, path, parameters, body } = operation;
    const { raw, headers, token = caller.token } = prepared;
    const values = { ...known, ...prepared.known };
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && (parameter.required || this.random.happens(optional)))
      .map(({ name, schema = {} }) => `${name}=${encodeURIComponent(String(this.samples.value(schema, values, name)))}`)
      .join('&');
    return {
      method,
      path: this.filled(path, ids),
      query,
      headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(body ? { body: this.samples.value(body, values) } : {}),
      ...(raw ? { raw } : {}),
    };
  }

  private filled(path: string, ids: Ids): string {
    const segments = path.split('/');
    return segments
      .map((segment, index) => (segment.startsWith('{') ? (ids[segments[index - 1]] ?? this.random.uuid()) : segment))
      .join('/');
  }
}

const knownIn = ({ roles, members, tenants }: Ids) => ({
  password: PASSWORD,
  currentPassword: PASSWORD,
  newPassword: PASSWORD,
  roleId: roles,
  userId: members,
  tenantId: tenants,
});

/**
 * Ids that an actor may reach only as an operator: those of the other tenant, and those of the
 * Member alone.
 */
function foreignTo({ actor, tenants: { own, foreign } }: Caller): ReadonlySet<string> {
  const isMember = actor === 'member' || actor === 'impersonating';
  return new Set([...Object.values(foreign), ...(isMember ? [] : [own.sessions, own.notifications])]);
}

function reaches({ path, body, raw }: FuzzRequest, ids: ReadonlySet<string>): boolean {
  const values =
    raw === undefined && typeof body === 'object' && body !== null ? (Object.values(body) as unknown[]) : [];
  return [...path.split('/'), ...values].some((value) => ids.has(value as string));
}

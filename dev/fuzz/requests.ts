import type { OpenAPIObject } from '@nestjs/swagger';
import type { Dice } from './dice';
import { mutate } from './mutations';
import { resolve, type Operation } from './operations';
import type { FuzzRequest } from './request';
import { Samples } from './samples';
import { PASSWORD, type World } from './world';

/** How often an id of a path is another tenant's, or nobody's. */
const FOREIGN = 0.15;
const UNKNOWN = 0.1;

/** Makes requests of an operation: valid ones, and what comes of them. */
export class Requests {
  private readonly samples: Samples;

  constructor(
    private readonly document: OpenAPIObject,
    private readonly dice: Dice,
  ) {
    this.samples = new Samples(document, dice);
  }

  /** The next request. @param token of the actor; undefined for nobody */
  next(operation: Operation, world: World, token: string | undefined): FuzzRequest {
    const { method, parameters, body } = operation;
    const { path, isForeign } = this.path(operation, world);
    const known = { password: PASSWORD, currentPassword: PASSWORD, roleId: world.own.roles, userId: world.own.members, tenantId: world.own.tenants };
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && (parameter.required || this.dice.happens(0.4)))
      .map(({ name, schema = {} }) => `${name}=${encodeURIComponent(String(this.samples.value(schema, {}, name)))}`)
      .join('&');
    const request: FuzzRequest = {
      method,
      path,
      query,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body ? { body: this.samples.value(resolve(this.document, body), known) } : {}),
      isForeign,
    };
    return mutate(request, this.dice);
  }

  private path({ path }: Operation, { own, foreign }: World): { path: string; isForeign: boolean } {
    const [isForeign, isUnknown] = [this.dice.happens(FOREIGN), this.dice.happens(UNKNOWN)];
    const segments = path.split('/');
    const filled = segments.map((segment, index) => {
      if (!segment.startsWith('{')) return segment;
      const ids = isForeign ? foreign : own;
      return (isUnknown ? undefined : ids[segments[index - 1]]) ?? this.dice.uuid();
    });
    return { path: filled.join('/'), isForeign: isForeign && !isUnknown && path.includes('{') };
  }
}

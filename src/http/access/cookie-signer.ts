import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { derivedKey } from '../../platform/derived-key';

/**
 * Signs cookie values: a JWT with HMAC under a key derived from JWT_PRIVATE_KEY, so that every
 * instance can verify it. The browser can read the value, so it must not contain secrets that the
 * browser may not know.
 */
@Injectable()
export class CookieSigner {
  private readonly jwt: JwtService;

  constructor(
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    // A key object: jsonwebtoken first parses the bytes of a secret as PEM, which takes 0.5 ms for
    // each signature.
    this.jwt = new JwtService({ secret: derivedKey(settings.keys.privateKey, 'tenantry signed cookies') });
  }

  /**
   * Signs the content of a cookie.
   * @param purpose the cookie's name; a value signed for another purpose is refused
   * @param seconds how long the value is valid
   */
  sign(purpose: string, content: object, seconds: number): string {
    const exp = this.clock.nowInSeconds() + seconds;
    return this.jwt.sign({ ...content, aud: purpose, exp }, { algorithm: 'HS256', noTimestamp: true });
  }

  /**
   * The content of a signed value; undefined if it is missing, expired, for another purpose or not
   * signed by this service.
   */
  read<Content extends object>(purpose: string, signed: string | undefined): Content | undefined {
    if (!signed) return undefined;
    try {
      return this.jwt.verify<Content>(signed, {
        algorithms: ['HS256'],
        audience: purpose,
        clockTimestamp: this.clock.nowInSeconds(),
      });
    } catch {
      return undefined;
    }
  }
}

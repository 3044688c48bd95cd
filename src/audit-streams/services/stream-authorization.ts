import { Injectable } from '@nestjs/common';
import { Vault } from '../../platform/vault';
import type { AuditStream } from '../domain/audit-stream';

/** Seals and opens the header Authorization of streams, which is never shown. */
@Injectable()
export class StreamAuthorization {
  constructor(private readonly vault: Vault) {}

  /** Sets the header of a stream. @param value null: none */
  set(stream: AuditStream, value: string | null): void {
    stream.setAuthorization(value === null ? null : this.vault.seal(stream.authorizationPlace, value));
  }

  /** The headers of a request of a stream. */
  headersOf(stream: AuditStream): Readonly<Record<string, string>> {
    if (stream.authorizationEnc === null) return {};
    return { Authorization: this.vault.open(stream.authorizationPlace, stream.authorizationEnc) };
  }
}

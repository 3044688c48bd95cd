import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A host at which tenants have receivers. Until it has answered one of them with 2xx, all tenants
 * together send it one request a minute.
 */
@Entity('receiver_hosts')
@Index('receiver_hosts_next_at_idx', ['nextAt'])
export class ReceiverHost {
  /** A name or an address, without the port: other ports of it are the same machine. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'receiver_hosts_pkey' }) readonly host!: string;
  @Column('timestamptz') readonly nextAt!: Date;
  @Column('timestamptz', { nullable: true }) readonly answeredAt!: Date | null;

  /** A host that is asked now. @param nextAt when it may be asked again */
  static asked(host: string, nextAt: Date): ReceiverHost {
    return Object.assign(new ReceiverHost(), { host, nextAt, answeredAt: null });
  }
}

/** The host of a receiver, for its budget. A dot at the end names the same host. */
export const hostnameOf = ({ url }: { readonly url: string }): string => new URL(url).hostname.replace(/\.$/, '');

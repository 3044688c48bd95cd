import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Sealed, sealedColumnsOf } from './sealed-column.decorator';

class Base {
  @PrimaryColumn('uuid') readonly tenantId!: string;
  @PrimaryColumn('uuid') readonly id!: string;
  @Sealed() @Column('text') signingKeyEnc!: string;
}

@Entity('sealed_endpoints')
class Endpoint extends Base {
  @Sealed() @Column('text', { name: 'token' }) secret!: string;
  @Column('text') url!: string;
}

@Entity('sealed_plain')
class Plain {
  @PrimaryColumn('uuid') readonly id!: string;
}

@Entity('sealed_by_mistake')
class Mistaken {
  @PrimaryColumn('uuid') readonly id!: string;
  @Sealed() secret!: string;
}

describe('Sealed columns', () => {
  it('are listed with the names of the database, and inherited', () => {
    const place = { table: 'sealed_endpoints', key: ['tenant_id', 'id'] };
    expect(sealedColumnsOf([Plain, Endpoint])).toEqual([
      { ...place, column: 'signing_key_enc' },
      { ...place, column: 'token' },
    ]);
    expect(sealedColumnsOf([Plain])).toEqual([]);
  });

  it('must be columns', () => {
    expect(() => sealedColumnsOf([Mistaken])).toThrow('Mistaken.secret is marked @Sealed() and is not a column');
  });
});

import { Inject, Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { ENTITIES } from './database/database';
import type { EntityClass } from './database/database-options';
import { RowCounts } from './database/row-counts';
import { countNameOf, sealedColumnsOf } from './database/sealed-column.decorator';
import { Metrics } from './observability/metrics';
import { Vault } from './vault';

/**
 * secrets_by_key by the id of the key, read on demand: the values of all sealed columns, from the
 * kept counts. A key of SECRETS_KEYS without values is 0.
 */
@Injectable()
export class VaultMetrics {
  constructor(
    metrics: Metrics,
    rowCounts: RowCounts,
    vault: Vault,
    @Inject(ENTITIES) entities: readonly EntityClass[],
  ) {
    const names = sealedColumnsOf(entities).map(countNameOf);
    new Gauge({
      name: 'secrets_by_key',
      help: 'Sealed values in the database, by the id of their key',
      labelNames: ['key'],
      registers: [metrics],
      async collect() {
        const counts = await rowCounts.read(...names).catch(() => undefined);
        this.reset();
        // without a database there is no value, and the other metrics are still served
        if (!counts) return;
        for (const key of vault.keyIds) this.set({ key }, 0);
        for (const { state, count } of counts) this.inc({ key: state }, count);
      },
    });
  }
}

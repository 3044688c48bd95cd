import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { isNetwork } from '../../config/subnet-list';
import { EachItem } from '../../http/validation/each-item.decorator';
import { IfGiven } from '../../http/validation/optional.decorators';
import { field } from '../../http/validation/typed-decorators';
import { MAX_NETWORKS_PER_KEY } from '../domain/key-limits';

/** Optional addresses and ranges in CIDR notation. */
export const NetworksField = () =>
  field<string[] | undefined>(
    IfGiven(),
    IsArray({ message: 'must be a list' }),
    ArrayMaxSize(MAX_NETWORKS_PER_KEY, { message: `must have at most ${MAX_NETWORKS_PER_KEY} items` }),
    EachItem(isNetwork, 'must be an address such as 203.0.113.7, or a range such as 203.0.113.0/24'),
    ApiPropertyOptional({
      type: [String],
      maxItems: MAX_NETWORKS_PER_KEY,
      description: 'IPv4 and IPv6 addresses and ranges; absent: any',
      example: ['203.0.113.0/24'],
    }),
  );

import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../validation/count-schema';

/** A number of rows. */
export class CountView {
  @ApiProperty({ ...COUNT, description: 'How many there are' }) readonly count!: number;
}

import { ApiProperty } from '@nestjs/swagger';

/** A number of rows. */
export class CountView {
  @ApiProperty({ type: 'integer', description: 'How many there are' }) readonly count!: number;
}

import { ApiProperty } from '@nestjs/swagger';

export class ProjectView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @ApiProperty({ type: Boolean }) readonly archived!: boolean;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

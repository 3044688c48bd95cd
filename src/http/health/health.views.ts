import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The body of the health routes. */
export class HealthView {
  @ApiProperty({ type: String, enum: ['ok'] }) status!: string;
  @ApiPropertyOptional({ type: String, enum: ['up', 'down'] }) database?: string;
  @ApiPropertyOptional({ type: String, enum: ['applied', 'missing', 'unknown'] }) migrations?: string;
  @ApiPropertyOptional({ type: String, enum: ['off', 'starting', 'running', 'stalled'] }) worker?: string;
  @ApiPropertyOptional({ type: Boolean }) stopping?: boolean;
}

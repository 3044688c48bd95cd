import { ApiProperty } from '@nestjs/swagger';

export class ProjectView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @ApiProperty({ type: Boolean }) readonly archived!: boolean;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;

  static of({ id, name, archived, createdAt }: ProjectView): ProjectView {
    return { id, name, archived, createdAt };
  }
}

/** The columns of a ProjectView. */
export const PROJECT = 'id, name, archived, created_at AS "createdAt"';

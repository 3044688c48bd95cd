import { Module } from '@nestjs/common';
import { moduleParts } from '../platform/module-parts';

/** The projects of tenants. The example module: `npm run make:module` copies it. */
@Module(moduleParts(__dirname))
export class ProjectsModule {}

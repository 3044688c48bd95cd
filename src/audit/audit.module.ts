import { Module } from '@nestjs/common';
import { moduleParts } from '../platform/module-parts';

/** The audit log: domain events, stored in the transaction in which they happen. */
@Module(moduleParts(__dirname))
export class AuditModule {}

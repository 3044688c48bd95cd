import { Module } from '@nestjs/common';
import { moduleParts } from '../platform/module-parts';

/** In-app notifications, as a list and as a stream. */
@Module(moduleParts(__dirname))
export class NotificationsModule {}

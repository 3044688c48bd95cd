import { Body, Controller, Delete, Patch, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiveSession, NotWhileImpersonating, SignedIn } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { LimitedRoute } from '../../http/rate-limits/route-limit.guard';
import { NullableField } from '../../http/validation/optional.decorators';
import { OptionalNameField } from '../../http/validation/text-field.decorators';
import { PlatformFailures } from '../../platform/platform.failures';
import { ChangePicture } from '../commands/change-picture';
import { RemovePicture } from '../commands/remove-picture';
import { UpdateProfile } from '../commands/update-profile';
import type { ProfileChanges } from '../domain/user';
import { ImageBody } from './image-body.decorator';
import { LanguageField, TimeZoneField } from './profile-field.decorators';
import { UserView } from './views/users.views';

class UpdateProfileBody implements ProfileChanges {
  @OptionalNameField(100, 'Ada Lovelace') name?: string;
  @NullableField(LanguageField()) language?: string | null;
  @NullableField(TimeZoneField()) timeZone?: string | null;
}

/** The account of the current user. */
@ApiTags('users')
@Controller('users/me')
export class UsersController {
  constructor(private readonly commands: CommandBus) {}

  @Patch()
  @SignedIn()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Update your profile',
    description: 'Omitted fields stay unchanged. Null removes the language or the time zone.',
    data: UserView,
  })
  updateProfile(@CurrentActor() actor: Actor, @Body() body: UpdateProfileBody) {
    return this.commands.execute(new UpdateProfile(actor, body));
  }

  @Put('picture')
  @SignedIn()
  @NotWhileImpersonating()
  @LimitedRoute({ kind: 'pictures', perMinute: 10, by: 'user' })
  @Responds({
    summary: 'Upload your picture',
    description:
      'The body is the file. The picture is cropped to a square of 256 pixels, and its metadata is removed. ' +
      'Anyone who knows the address of the picture can see it.',
    data: UserView,
    failures: [PlatformFailures.validation],
  })
  changePicture(@CurrentActor() actor: Actor, @ImageBody() upload: Buffer) {
    return this.commands.execute(new ChangePicture(actor, upload));
  }

  @Delete('picture')
  @SignedIn()
  @LiveSession()
  @NotWhileImpersonating()
  @Responds({ summary: 'Remove your picture', data: UserView })
  removePicture(@CurrentActor() actor: Actor) {
    return this.commands.execute(new RemovePicture(actor));
  }
}

import { Body, Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NotWhileImpersonating, SignedIn } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { NameField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { UpdateProfile } from '../commands/update-profile';
import type { ProfileChanges } from '../domain/user';
import { UserView } from './views/users.views';

/** Clients know this name and the id of the operation, which is the name of the method. */
class RenameUserBody implements ProfileChanges {
  @NameField(100, 'Ada Lovelace') name!: string;
}

/** The account of the current user. */
@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(private readonly commands: CommandBus) {}

  @Patch('me')
  @SignedIn()
  @NotWhileImpersonating()
  @Responds({ summary: 'Update your name', data: UserView })
  renameUser(@CurrentActor() actor: Actor, @Body() body: RenameUserBody) {
    return this.commands.execute(new UpdateProfile(actor, body));
  }
}

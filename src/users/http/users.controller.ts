import { Body, Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NotWhileImpersonating, SignedIn } from '../../edge/access';
import { CurrentActor, type Actor } from '../../edge/actor';
import { NameField } from '../../edge/fields';
import { Answers } from '../../edge/openapi-answers';
import { RenameUser } from '../commands/rename-user';
import { UserView } from '../users.views';

class RenameUserBody {
  @NameField(100, 'Ada Lovelace') name!: string;
}

@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(private readonly commands: CommandBus) {}

  @Patch('me')
  @SignedIn()
  @NotWhileImpersonating()
  @Answers({ summary: 'Change your display name', data: UserView })
  renameUser(@CurrentActor() actor: Actor, @Body() body: RenameUserBody) {
    return this.commands.execute(new RenameUser(actor, body.name));
  }
}

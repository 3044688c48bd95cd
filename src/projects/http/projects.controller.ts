import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { BillingFailures } from '../../billing/billing.api';
import { LiveSession, NotWhileImpersonating, RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { OptionalFlag } from '../../http/validation/flag-field.decorators';
import { LabelField, OptionalLabelField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { ChangeProject } from '../commands/change-project';
import { CreateProject } from '../commands/create-project';
import { DeleteProject } from '../commands/delete-project';
import { ProjectView } from './views/projects.views';
import { GetProject } from '../queries/get-project';
import { ListProjects } from '../queries/list-projects';

class CreateProjectBody {
  @LabelField(100, 'Difference Engine') name!: string;
}

class ChangeProjectBody {
  @OptionalLabelField(100, 'Difference Engine') name?: string;
  @OptionalFlag() archived?: boolean;
}

/** The projects of the active tenant. The example of docs/add-a-module.md. */
@ApiTags('projects')
@Controller('tenants/current/projects')
export class ProjectsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @RequirePermission('tenant.projects.read')
  @Responds({ summary: 'List projects', data: ProjectView, list: true })
  listProjects(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListProjects(actor, page));
  }

  @Get(':id')
  @RequirePermission('tenant.projects.read')
  @Responds({ summary: 'Get a project', data: ProjectView, failures: [PlatformFailures.notFound] })
  getProject(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.queries.execute(new GetProject(actor, id));
  }

  @Post()
  @RequirePermission('tenant.projects.manage')
  @Responds({
    summary: 'Create a project',
    description: 'The Free plan includes 3 projects.',
    data: ProjectView,
    failures: [PlatformFailures.notFound, BillingFailures.planRequired],
  })
  createProject(@CurrentTenantActor() actor: TenantActor, @Body() body: CreateProjectBody) {
    return this.commands.execute(new CreateProject(actor, body));
  }

  @Patch(':id')
  @RequirePermission('tenant.projects.manage')
  @Responds({
    summary: 'Update a project',
    description: 'Omitted fields stay unchanged.',
    data: ProjectView,
    failures: [PlatformFailures.notFound],
  })
  changeProject(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string, @Body() body: ChangeProjectBody) {
    return this.commands.execute(new ChangeProject(actor, id, body));
  }

  @Delete(':id')
  @LiveSession()
  @RequirePermission('tenant.projects.manage')
  @NotWhileImpersonating()
  @Responds({ summary: 'Delete a project', data: null, failures: [PlatformFailures.notFound] })
  deleteProject(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.commands.execute(new DeleteProject(actor, id));
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EntityReader } from '../../platform/database/entity-reader';
import { onePage, PersonalData } from '../../platform/personal-data';
import { HAS_PASSWORD } from '../data/has-password';
import { LinkedProvider, PROVIDERS } from '../domain/linked-provider';
import { Registration } from '../domain/registration';
import { PROFILE_FIELDS, User } from '../domain/user';
import { UserPicture } from '../domain/user-picture';

const EXPORTED = [...PROFILE_FIELDS, 'emailVerifiedAt', 'hasSecondFactor', 'deletesAt'] as const;

/** The account and its linked providers, for the export of personal data. */
@Injectable()
export class SupplyDataOfAccount implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalData,
    private readonly reader: EntityReader,
  ) {}

  onModuleInit(): void {
    this.personalData.supply([User], {
      name: 'account',
      read: async ({ userId: id }) => {
        const fields = {
          select: EXPORTED,
          computed: HAS_PASSWORD,
          where: { id },
          order: { id: 'ASC' },
          limit: 1,
        } as const;
        return onePage(await this.reader.find(User, fields));
      },
    });
    this.personalData.supply([UserPicture], {
      name: 'pictures',
      read: async ({ userId }) => {
        const fields = { select: ['image'], where: { userId }, order: { userId: 'ASC' }, limit: 1 } as const;
        const pictures = await this.reader.find(UserPicture, fields);
        return onePage(pictures.map(({ image }) => ({ type: 'image/webp', base64: image.toString('base64') })));
      },
    });
    this.personalData.supply([LinkedProvider], {
      name: 'linkedProviders',
      read: async ({ userId }) => {
        const select = ['provider', 'providerUserId', 'linkedAt'] as const;
        const order = { provider: 'ASC' } as const;
        const limit = PROVIDERS.length;
        return onePage(await this.reader.find(LinkedProvider, { select, where: { userId }, order, limit }));
      },
    });
    this.personalData.withhold(Registration, 'only of addresses that are not verified, which cannot export');
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EntityReader } from '../../platform/database/entity-reader';
import { onePage, PersonalData } from '../../platform/personal-data';
import { PASSKEY_COLUMNS, passkeyView } from '../data/passkey.columns';
import { FactorReset } from '../domain/factor-reset';
import { PasskeyChallenge } from '../domain/passkey-challenge';
import { MAX_PASSKEYS, Passkey } from '../domain/passkey';
import { RECOVERY_CODES, RecoveryCode } from '../domain/recovery-code';
import { TotpFactor } from '../domain/totp-factor';
import { UserHandle } from '../domain/user-handle';

const RESET = ['id', 'reason', 'state', 'requestedAt', 'approvedAt', 'closedAt'] as const;
const MOST = 1000;

/** The second factors of an account, for the export of personal data. */
@Injectable()
export class SupplyDataOfFactors implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalData,
    private readonly reader: EntityReader,
  ) {}

  onModuleInit(): void {
    this.personalData.supply([TotpFactor], {
      name: 'authenticatorApps',
      read: async ({ userId }) => {
        const select = ['createdAt', 'confirmedAt'] as const;
        return onePage(
          await this.reader.find(TotpFactor, { select, where: { userId }, order: { userId: 'ASC' }, limit: 1 }),
        );
      },
    });
    this.personalData.supply([RecoveryCode], {
      name: 'recoveryCodes',
      read: async ({ userId }) => {
        const order = { codeHash: 'ASC' } as const;
        const fields = { select: ['createdAt'], where: { userId }, order, limit: RECOVERY_CODES } as const;
        return onePage(await this.reader.find(RecoveryCode, fields));
      },
    });
    this.personalData.supply([Passkey], {
      name: 'passkeys',
      read: async ({ userId }) => {
        const order = { createdAt: 'ASC', id: 'ASC' } as const;
        const fields = { select: PASSKEY_COLUMNS, where: { userId }, order, limit: MAX_PASSKEYS };
        return onePage((await this.reader.find(Passkey, fields)).map(passkeyView));
      },
    });
    this.personalData.supply([FactorReset], {
      name: 'factorResets',
      read: async ({ userId }) =>
        onePage(
          await this.reader.find(FactorReset, { select: RESET, where: { userId }, order: { id: 'ASC' }, limit: MOST }),
        ),
    });
    this.personalData.withhold(PasskeyChallenge, 'random bytes that are valid for minutes');
    this.personalData.withhold(UserHandle, 'a random id, which only passkeys have besides');
  }
}

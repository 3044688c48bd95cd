import { Injectable } from '@nestjs/common';

/** How long the response of an export may take, in milliseconds. */
export interface ExportTimes {
  /** Without a byte that the client takes. */
  readonly stallMs: number;
  /** In all. */
  readonly totalMs: number;
}

/** When exports are cut (docs/contract.md, CSV files). */
@Injectable()
export class ExportTiming {
  readonly usual: ExportTimes = { stallMs: 30_000, totalMs: 10 * 60_000 };
  /** While the service stops: within the time that open requests get (request-drain.ts). */
  readonly stopping: ExportTimes = { stallMs: 3000, totalMs: 20_000 };
  /** Between two looks at an export. */
  readonly checkMs: number = 1000;
}

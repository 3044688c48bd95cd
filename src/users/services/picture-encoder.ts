import { Injectable } from '@nestjs/common';
import sharp from 'sharp';
import { BoundedQueue } from '../../platform/bounded-queue';
import { PlatformFailures, invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';

/** Width and height of a stored picture in pixels: sharp where clients show 128. */
const PIXELS = 256;
const MAX_INPUT_PIXELS = 50_000_000;
/** How many pictures wait while one is read. */
const MAX_WAITING = 10;

const NOT_AN_IMAGE = invalid({
  body: ['must be a PNG, JPEG, WebP or GIF image of at most 50 megapixels'],
});

/** Files of strangers are given to these readers only, not to the others of libvips. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READERS });
sharp.cache(false); // every picture is read once
sharp.concurrency(1);

/** Turns uploaded images into pictures of accounts. */
@Injectable()
export class PictureEncoder {
  private readonly queue = new BoundedQueue(1, MAX_WAITING);

  /**
   * A square WebP image of the middle of the upload, upright, with its metadata removed: photos
   * name the place where they were taken. VALIDATION_ERROR if it is no image; RATE_LIMITED if
   * others wait already.
   */
  async encode(upload: Buffer): Promise<Result<Buffer, 'RATE_LIMITED' | 'VALIDATION_ERROR'>> {
    return (await this.queue.run(() => encode(upload))) ?? err(PlatformFailures.rateLimited);
  }
}

async function encode(upload: Buffer): Promise<Result<Buffer, 'VALIDATION_ERROR'>> {
  try {
    const image = sharp(upload, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' });
    const picture = image.autoOrient().resize(PIXELS, PIXELS, { fit: 'cover' }).webp({ quality: 82 });
    return ok(await picture.toBuffer());
  } catch {
    return err(NOT_AN_IMAGE); // its messages name functions of the library
  }
}

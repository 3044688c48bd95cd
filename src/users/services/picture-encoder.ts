import { Injectable } from '@nestjs/common';
import { BoundedQueue } from '../../platform/bounded-queue';
import { PlatformFailures, invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';

/** Width and height of a stored picture in pixels: sharp where clients show 128. */
const PIXELS = 256;
/** The photo of a phone has 12 megapixels, a large one 24. */
const MAX_PIXELS = 24_000_000;
/** Images that are shown step by step are decoded as a whole in memory. */
const MAX_STEPWISE_PIXELS = 12_000_000;
/** Each scan of a JPEG costs the time of a whole image; common files have about ten. */
const MAX_SCANS = 50;
const START_OF_SCAN = Buffer.from([0xff, 0xda]);
/** How many pictures wait while one is read. */
const MAX_WAITING = 10;
/** A picture takes a fraction of a second. */
const TOO_MANY = { ...PlatformFailures.rateLimited, retryAfter: 1 };

const NOT_AN_IMAGE = invalid({
  body: ['must be a PNG, JPEG, WebP or GIF image of at most 24 megapixels'],
});

/** Files of strangers are given to these readers only, not to the others of libvips. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`);

let library: Promise<typeof import('sharp').default> | undefined;

/** Loaded with the first picture: the native library takes 8 MB of memory. */
const loadSharp = () =>
  (library ??= import('sharp').then(
    ({ default: sharp }) => {
      sharp.block({ operation: ['VipsForeignLoad'] });
      sharp.unblock({ operation: READERS });
      sharp.cache(false); // every picture is read once
      sharp.concurrency(1);
      return sharp;
    },
    (error: unknown) => {
      library = undefined; // the next picture tries again
      throw error;
    },
  ));

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
    return (await this.queue.run(() => encode(upload))) ?? err(TOO_MANY);
  }
}

async function encode(upload: Buffer): Promise<Result<Buffer, 'VALIDATION_ERROR'>> {
  const sharp = await loadSharp();
  try {
    if (hasManyScans(upload)) return err(NOT_AN_IMAGE);
    const image = sharp(upload, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { width, height, isProgressive } = await image.metadata();
    if (isProgressive && width * height > MAX_STEPWISE_PIXELS) return err(NOT_AN_IMAGE);
    const picture = image.autoOrient().resize(PIXELS, PIXELS, { fit: 'cover' }).webp({ quality: 82 });
    return ok(await picture.toBuffer());
  } catch {
    return err(NOT_AN_IMAGE); // its messages name functions of the library
  }
}

/** The decoder limits the size of an image, and not how often a JPEG repeats it. */
function hasManyScans(upload: Buffer): boolean {
  let scans = 0;
  for (let at = upload.indexOf(START_OF_SCAN); at >= 0; at = upload.indexOf(START_OF_SCAN, at + 2)) scans++;
  return upload[0] === 0xff && scans > MAX_SCANS;
}

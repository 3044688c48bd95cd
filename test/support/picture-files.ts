import sharp from 'sharp';

/** An image file of one colour, whose metadata names a place. */
export const uploadOf = (
  format: 'gif' | 'jpeg' | 'png' | 'webp',
  width: number,
  height: number,
  progressive = false,
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#0a7' } })
    .withExif({ IFD0: { ImageDescription: 'secret garden' } })
    .toFormat(format, { progressive })
    .toBuffer();

/** A JPEG whose only scan is repeated, which decoders accept. */
export function withScans(jpeg: Buffer, count: number): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const end = jpeg.lastIndexOf(Buffer.from([0xff, 0xd9]));
  const scan = jpeg.subarray(at, end);
  return Buffer.concat([jpeg.subarray(0, at), ...Array<Buffer>(count).fill(scan), jpeg.subarray(end)]);
}

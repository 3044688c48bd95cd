import sharp from 'sharp';

/** An image file of one colour, whose metadata names a place. */
export const uploadOf = (format: 'gif' | 'jpeg' | 'png' | 'webp', width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#0a7' } })
    .withExif({ IFD0: { ImageDescription: 'secret garden' } })
    .toFormat(format)
    .toBuffer();

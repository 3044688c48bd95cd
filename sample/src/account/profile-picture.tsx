import { Avatar, Button, Stack } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@tenantry/client';
import { type ChangeEvent, useRef } from 'react';
import { useToast } from '../layout/toasts';
import { errorMessage } from '../messages';
import { api } from '../session';

const MAX_MB = 5;
const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

const UNREADABLE = 'This file can’t be read as an image. Choose another one.';

/** The user's picture, with buttons to upload another one and to remove it. */
export function ProfilePicture({ name, pictureUrl }: Pick<Schemas['UserView'], 'name' | 'pictureUrl'>) {
  const showToast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const uploading = useMutation({
    meta: { isShown: true },
    mutationFn: async (file: File) => unwrap(await api.PUT('/users/me/picture', { body: file })),
    onSuccess: () => showToast('Picture saved.'),
    onError: (error) => showToast(error.failure.code === 'VALIDATION_ERROR' ? UNREADABLE : errorMessage(error)),
  });
  const removing = useMutation({
    mutationFn: async () => unwrap(await api.DELETE('/users/me/picture')),
    onSuccess: () => showToast('Picture removed.'),
  });
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    currentTarget.value = ''; // the same file can be chosen again
    if (!file) return;
    if (!TYPES.includes(file.type)) showToast('Choose a PNG, JPEG, WebP or GIF image.');
    else if (file.size > MAX_MB * 1024 * 1024) showToast(`Choose an image of at most ${MAX_MB} MB.`);
    else uploading.mutate(file);
  };
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      <Avatar src={pictureUrl ?? undefined} alt="Your picture" sx={{ width: 72, height: 72, fontSize: 30 }}>
        {name.charAt(0).toUpperCase()}
      </Avatar>
      <input ref={input} type="file" accept={TYPES.join()} hidden aria-label="Picture file" onChange={choose} />
      <Button variant="outlined" loading={uploading.isPending} onClick={() => input.current?.click()}>
        {pictureUrl ? 'Change picture' : 'Upload picture'}
      </Button>
      {pictureUrl && (
        <Button color="inherit" loading={removing.isPending} onClick={() => removing.mutate()}>
          Remove
        </Button>
      )}
    </Stack>
  );
}

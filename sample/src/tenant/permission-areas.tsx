import { Checkbox, FormControl, FormControlLabel, FormHelperText, FormLabel, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { use } from 'react';
import { CheckboxLabel } from '../form/checkbox-label';
import { FieldErrors } from '../form/form';
import { type Permission, useHasPermission } from '../session';
import { PERMISSION_LABELS } from './permission-labels';

type PermissionText = Schemas['PermissionView'];

export interface PermissionPickerProps {
  readonly chosen: readonly Permission[];
  /** Left out: read-only. */
  readonly choose?: (permissions: readonly Permission[]) => void;
}

interface PermissionAreasProps extends PermissionPickerProps {
  readonly all: readonly PermissionText[];
}

/** Permissions by area, with the chosen ones checked. */
export function PermissionAreas({ all, chosen, choose }: PermissionAreasProps) {
  const error = use(FieldErrors).permissions;
  return (
    <Stack spacing={2.5}>
      {[...new Set(all.map(areaOf))].map((area) => (
        <FormControl key={area} component="fieldset">
          <FormLabel component="legend" sx={LEGEND}>
            {area}
          </FormLabel>
          {all
            .filter((permission) => areaOf(permission) === area)
            .map(({ name, description }) => (
              <PermissionCheckbox key={name} {...{ name, description, chosen, choose }} />
            ))}
        </FormControl>
      ))}
      {/* makes it a field of the form, which then leaves its errors to be shown here */}
      <input type="hidden" name="permissions" />
      {error && <FormHelperText error>{error.message}</FormHelperText>}
    </Stack>
  );
}

/** The name of an area, in the same color while one of its permissions has the focus. */
const LEGEND = { textTransform: 'capitalize', fontWeight: 600, '&.Mui-focused': { color: 'text.secondary' } };

/** "members" of tenant.members.invite. */
const areaOf = ({ name }: PermissionText) => name.split('.')[1];

/** The permission to view an area. It is granted with every other permission of that area. */
const readingOf = (name: Permission) => name.replace(/\.\w+$/, '.read') as Permission;

interface PermissionCheckboxProps extends PermissionPickerProps {
  readonly name: Permission;
  readonly description: string;
}

function PermissionCheckbox({ name, description, chosen, choose }: PermissionCheckboxProps) {
  const hasPermission = useHasPermission();
  const isHeld = hasPermission(name);
  const label = (
    <CheckboxLabel
      text={PERMISSION_LABELS[name] ?? description}
      detail={choose && !isHeld ? `${name} · you can only grant permissions that you have` : name}
    />
  );
  const toggle = () => {
    if (chosen.includes(name)) choose?.(chosen.filter((other) => other !== name));
    else choose?.([...new Set([...chosen, ...[readingOf(name)].filter(hasPermission), name])]);
  };
  const box = <Checkbox checked={chosen.includes(name)} onChange={toggle} disabled={!choose || !isHeld} />;
  return <FormControlLabel control={box} label={label} sx={{ mt: 0.5 }} />;
}

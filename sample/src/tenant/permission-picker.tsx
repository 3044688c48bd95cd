import { Checkbox, FormControl, FormControlLabel, FormHelperText, FormLabel, Stack, Typography } from '@mui/material';
import { type Schemas, unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { FieldErrors } from '../form/form';
import { QueryResult } from '../list/query-result';
import { api, type Permission, useHasPermission } from '../session';

interface PermissionPickerProps {
  readonly chosen: readonly Permission[];
  /** Left out: they are only shown. */
  readonly choose?: (permissions: readonly Permission[]) => void;
}

/** The catalogue of permissions, by what they are about, with those of a role ticked. */
export function PermissionPicker({ chosen, choose }: PermissionPickerProps) {
  const catalogue = useQuery({
    queryKey: ['permissions'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/permissions')).items,
  });
  const faults = Object.entries(use(FieldErrors)).filter(([name]) => name.startsWith('permissions'));
  return (
    <QueryResult from={catalogue}>
      {(all) => (
        <Stack spacing={2.5}>
          {[...new Set(all.map(areaOf))].map((area) => (
            <FormControl key={area} component="fieldset">
              <FormLabel component="legend" sx={{ textTransform: 'capitalize', fontWeight: 600 }}>
                {area}
              </FormLabel>
              {all
                .filter((permission) => areaOf(permission) === area)
                .map((permission) => (
                  <Choice key={permission.name} {...{ permission, chosen, choose }} />
                ))}
            </FormControl>
          ))}
          {/* a field of the form by name, so that the form leaves it to us to show what is wrong with it */}
          <input type="hidden" name="permissions" />
          {faults.length > 0 && (
            <FormHelperText error>PermissionPicker {faults.flatMap(([, messages]) => messages)[0]}</FormHelperText>
          )}
        </Stack>
      )}
    </QueryResult>
  );
}

/** tenant.members.invite is about members. */
const areaOf = ({ name }: Schemas['PermissionView']) => name.split('.')[1];

function Choice({
  permission: { name, description },
  chosen,
  choose,
}: PermissionPickerProps & { permission: Schemas['PermissionView'] }) {
  const isHeld = useHasPermission()(name);
  const label = (
    <>
      {description}
      <Typography variant="caption" component="div" color="textSecondary">
        {name} {choose && !isHeld && '· you can only grant what you may do yourself'}
      </Typography>
    </>
  );
  const toggle = () => choose?.(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  const box = <Checkbox checked={chosen.includes(name)} onChange={toggle} disabled={!choose || !isHeld} />;
  return <FormControlLabel control={box} label={label} sx={{ mt: 0.5 }} />;
}

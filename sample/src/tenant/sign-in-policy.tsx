import { Alert, Checkbox, FormControlLabel, FormGroup, FormLabel, MenuItem, Stack, Typography } from '@mui/material';
import { unwrap, type Schemas } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { longDate } from '../date-format';
import { Field } from '../form/field';
import { Form, type FormValues } from '../form/form';
import { Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { QueryResult } from '../list/query-result';
import { api, useHasPermission } from '../session';

type Policy = Schemas['SignInPolicyView'];
type Method = NonNullable<Policy['allowedMethods']>[number];

const METHODS: Readonly<Record<Method, string>> = {
  password: 'Password',
  passkey: 'Passkey',
  'magic-link': 'Emailed link',
  google: 'Google',
  github: 'GitHub',
};
const METHOD_NAMES = Object.keys(METHODS) as Method[];
/** Hours, as they are offered. Another value that the API has stays in the list. */
const SESSION_LENGTHS: readonly (readonly [number, string])[] = [
  [8, '8 hours'],
  [12, '12 hours'],
  [24, '1 day'],
  [168, '7 days'],
  [720, '30 days'],
];
/** Days that personal tokens can be used for, as they are offered. */
const TOKEN_LIVES: readonly (readonly [number, string])[] = [
  [0, 'Not allowed'],
  [7, 'For 7 days'],
  [30, 'For 30 days'],
  [90, 'For 90 days'],
];
const NO_LIMIT = '';
/** Members get so many days to add a second factor. */
const NOTICE_DAYS = 7;

/** What the workspace asks of everyone who uses it. */
export function SignInPolicy() {
  const policy = useQuery({
    queryKey: ['sign-in-policy'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/sign-in-policy')),
  });
  const canManage = useHasPermission()('tenant.security.manage');
  return (
    <Section title="Sign-in policy" text="What this workspace asks of everyone who uses it.">
      <QueryResult from={policy}>
        {(found) => (canManage ? <PolicyForm key={found.updatedAt} policy={found} /> : <PolicySummary {...found} />)}
      </QueryResult>
    </Section>
  );
}

function PolicySummary({ secondFactorFrom, maxSessionHours, allowedMethods, maxTokenDays }: Policy) {
  return (
    <Stack spacing={0.5}>
      <Typography>
        {secondFactorFrom
          ? `A second factor is required from ${longDate(secondFactorFrom)}.`
          : 'No second factor is required.'}
      </Typography>
      {maxSessionHours && <Typography>You sign in again after {lengthName(maxSessionHours)}.</Typography>}
      {maxTokenDays !== null && <Typography>Personal tokens: {lifeName(maxTokenDays)}.</Typography>}
      {allowedMethods && (
        <Typography>Sign in with: {allowedMethods.map((name) => METHODS[name]).join(', ')}.</Typography>
      )}
    </Stack>
  );
}

function PolicyForm({ policy }: { policy: Policy }) {
  const showToast = useToast();
  const [isRequired, setRequired] = useState(policy.secondFactorFrom !== null);
  const [isLimited, setLimited] = useState(policy.allowedMethods !== null);
  const save = (values: FormValues) => api.PUT('/tenants/current/sign-in-policy', { body: policyOf(values, policy) });
  return (
    <Form submit="Save policy" send={save} onDone={() => showToast('Sign-in policy saved.')}>
      <FormControlLabel
        control={<Checkbox checked={isRequired} onChange={(_, checked) => setRequired(checked)} />}
        label="Require a second factor"
      />
      {isRequired && (
        <>
          <Field
            name="secondFactorFrom"
            label="From"
            type="date"
            defaultValue={(policy.secondFactorFrom ?? inDays(NOTICE_DAYS)).slice(0, 10)}
            emptyMessage="Choose a day."
          />
          <Alert severity="info">
            Members without one are told now and a day before. From that day on they can’t open this workspace until
            they add one. Nobody is removed.
          </Alert>
        </>
      )}
      <Field
        select
        name="maxSessionHours"
        label="Sign in again after"
        defaultValue={policy.maxSessionHours ?? NO_LIMIT}
      >
        <MenuItem value={NO_LIMIT}>No limit</MenuItem>
        {lengthsWith(policy.maxSessionHours).map(([hours, name]) => (
          <MenuItem key={hours} value={hours}>
            {name}
          </MenuItem>
        ))}
      </Field>
      <Field select name="maxTokenDays" label="Personal tokens" defaultValue={policy.maxTokenDays ?? NO_LIMIT}>
        <MenuItem value={NO_LIMIT}>For up to a year</MenuItem>
        {livesWith(policy.maxTokenDays).map(([days, name]) => (
          <MenuItem key={days} value={days}>
            {name}
          </MenuItem>
        ))}
      </Field>
      <FormControlLabel
        control={<Checkbox checked={isLimited} onChange={(_, checked) => setLimited(checked)} />}
        label="Limit how members sign in"
      />
      {isLimited && (
        <FormGroup aria-label="Allowed ways to sign in" role="group" sx={{ pl: 4 }}>
          <FormLabel>Allowed</FormLabel>
          {METHOD_NAMES.map((name) => (
            <FormControlLabel
              key={name}
              control={<Checkbox name={name} defaultChecked={policy.allowedMethods?.includes(name) ?? true} />}
              label={METHODS[name]}
            />
          ))}
        </FormGroup>
      )}
    </Form>
  );
}

/** The rules that the form names. Fields that it does not show ask for nothing. */
function policyOf(values: FormValues, { secondFactorFrom }: Policy) {
  const { secondFactorFrom: day, maxSessionHours, maxTokenDays } = values;
  const allowedMethods = METHOD_NAMES.filter((name) => values[name]);
  const isSameDay = day !== undefined && secondFactorFrom?.startsWith(day);
  return {
    secondFactorFrom: day === undefined ? null : isSameDay ? secondFactorFrom : `${day}T00:00:00Z`,
    maxSessionHours: maxSessionHours ? Number(maxSessionHours) : null,
    allowedMethods: allowedMethods.length > 0 ? allowedMethods : null,
    maxTokenDays: maxTokenDays ? Number(maxTokenDays) : null,
  };
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const lengthName = (hours: number) => SESSION_LENGTHS.find(([known]) => known === hours)?.[1] ?? `${hours} hours`;

const lengthsWith = (hours: number | null) =>
  hours === null || SESSION_LENGTHS.some(([known]) => known === hours)
    ? SESSION_LENGTHS
    : [[hours, lengthName(hours)] as const, ...SESSION_LENGTHS];

const lifeName = (days: number) => TOKEN_LIVES.find(([known]) => known === days)?.[1] ?? `For ${days} days`;

const livesWith = (days: number | null) =>
  days === null || TOKEN_LIVES.some(([known]) => known === days)
    ? TOKEN_LIVES
    : [...TOKEN_LIVES, [days, lifeName(days)] as const];

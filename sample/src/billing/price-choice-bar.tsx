import { Chip, Stack, ToggleButton, ToggleButtonGroup } from '@mui/material';
import type { ReactNode } from 'react';
import { currenciesOf, type Currency, type Interval, type Plan, type PriceChoice, yearlySaving } from './plan-prices';

interface PriceChoiceBarProps {
  readonly plans: readonly Plan[];
  readonly choice: PriceChoice;
  readonly choose: (choice: PriceChoice) => void;
  /** A subscription keeps its currency. */
  readonly isCurrencyFixed?: boolean;
}

/** Switches the prices between months and years, and between currencies. */
export function PriceChoiceBar({ plans, choice, choose, isCurrencyFixed }: PriceChoiceBarProps) {
  const currencies = currenciesOf(plans);
  const saving = yearlySaving(plans, choice.currency);
  return (
    <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
      <Choice
        label="Billing period"
        value={choice.interval}
        options={[
          ['month', 'Monthly'],
          [
            'year',
            <>
              Yearly
              {saving && <Chip size="small" color="success" label={saving} sx={{ ml: 1, height: 20 }} />}
            </>,
          ],
        ]}
        choose={(interval) => choose({ ...choice, interval: interval as Interval })}
      />
      {!isCurrencyFixed && currencies.length > 1 && (
        <Choice
          label="Currency"
          value={choice.currency}
          options={currencies.map((currency) => [currency, currency.toUpperCase()])}
          choose={(currency) => choose({ ...choice, currency: currency as Currency })}
        />
      )}
    </Stack>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: ReactNode])[];
  readonly choose: (value: string) => void;
}

function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={label}
      value={value}
      onChange={(_event, chosen: string | null) => chosen && choose(chosen)}
    >
      {options.map(([option, text]) => (
        <ToggleButton key={option} value={option} sx={{ px: 1.75, textTransform: 'none' }}>
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

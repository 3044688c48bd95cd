import { Box } from '@mui/material';

/** The data of an entry in a line: `status: PastDue → Active · cause: sync`. */
export const AuditDetails = ({ data }: { data: object }) => {
  const text = factsOf(data).join(' · ');
  return text === '' ? (
    <>–</>
  ) : (
    <Box component="span" title={text} sx={CLAMPED}>
      {text}
    </Box>
  );
};

/** At most two lines; the expanded row shows all of it. */
const CLAMPED = {
  color: 'text.secondary',
  overflowWrap: 'anywhere',
  overflow: 'hidden',
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 2,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Of `before` and `after` only the fields that differ. */
function factsOf(data: object): string[] {
  const { before, after, ...rest } = data as Record<string, unknown>;
  const changed =
    isObject(before) && isObject(after)
      ? Object.keys(after).flatMap((name) =>
          textOf(before[name]) === textOf(after[name])
            ? []
            : [`${name}: ${textOf(before[name])} → ${textOf(after[name])}`],
        )
      : Object.entries({ before, after }).flatMap(([name, value]) =>
          value == null ? [] : [`${name}: ${textOf(value)}`],
        );
  return [
    ...changed,
    ...Object.entries(rest).flatMap(([name, value]) => (value == null ? [] : [`${name}: ${textOf(value)}`])),
  ];
}

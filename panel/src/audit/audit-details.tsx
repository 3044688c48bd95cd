import { Box } from '@mui/material';

/** What an entry tells beyond its fields, in a line: `status: PastDue → Active · cause: sync`. */
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

/** Two lines, to keep rows alike; all of it is where the entry is shown as a whole. */
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

/** Of before and after only what differs. */
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

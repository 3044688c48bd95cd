/** The labels that are not made of their words. */
const LABELS: Readonly<Partial<Record<string, string>>> = { auditRetentionDays: 'Audit log kept (days)' };

/** The label of a state: "Past due" for `PastDue`, "Needs attention" for `needs-attention`. */
export const labelOf = (state: string) => {
  const label = LABELS[state];
  if (label) return label;
  const words = state.replace(/([a-z])([A-Z])|-/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The label of a state: "Past due" for `PastDue`, "Needs attention" for `needs-attention`. */
export const labelOf = (state: string) => {
  const words = state.replace(/([a-z])([A-Z])|-/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

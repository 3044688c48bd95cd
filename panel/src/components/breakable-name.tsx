import { Fragment } from 'react';

/** A long name that breaks after its dots and underscores: `checkout.session.completed`. */
export const BreakableName = ({ name }: { name: string }) =>
  name.split(/(?<=[._])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));

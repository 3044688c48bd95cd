import { Button } from '@mui/material';
import type { Proof } from './proof-field';
import { USE_PROOF } from './usable-proofs';

interface OtherProofsProps {
  readonly proofs: readonly Proof[];
  readonly current: Proof;
  readonly onChoose: (proof: Proof) => void;
}

/** Buttons that choose another proof. */
export const OtherProofs = ({ proofs, current, onChoose }: OtherProofsProps) =>
  proofs
    .filter((proof) => proof !== current)
    .map((proof) => (
      <Button key={proof} onClick={() => onChoose(proof)}>
        {USE_PROOF[proof]}
      </Button>
    ));

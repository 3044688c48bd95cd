/**
 * Whether a receiver has answered a challenge: the body is the challenge, or a JSON object with the
 * challenge in its field `challenge`. A program that answers with what it gets does not pass,
 * because the challenge is in `data`.
 */
export function isAnswerTo(challenge: string, body: string): boolean {
  const text = body.trim();
  if (text === challenge) return true;
  try {
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === 'object' && parsed !== null && 'challenge' in parsed && parsed.challenge === challenge;
  } catch {
    return false;
  }
}

const LONGEST = 100;
const BLOCK = /^([ \t]*)\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n/gm;

/**
 * A source without some sentences of its comments. A comment of which nothing is left goes too.
 * Comments that a change has made too long are wrapped again.
 * @param isDropped whether a sentence goes
 */
export function editComments(text: string, isDropped: (sentence: string) => boolean): string {
  return text.replace(BLOCK, (comment: string, indentation: string, content: string) => {
    const lines = content.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
    if (lines.slice(1, -1).some((line) => line === '' || line.startsWith('@'))) return comment;
    const sentences = lines
      .join(' ')
      .trim()
      .split(/(?<=\.) (?=[A-Z`])/);
    const kept = sentences.filter((sentence) => !isDropped(sentence)).join(' ');
    return kept === '' ? '' : `${wrapped(kept, indentation)}\n`;
  });
}

function wrapped(content: string, indentation: string): string {
  const line = `${indentation}/** ${content} */`;
  if (line.length <= LONGEST) return line;
  const lines: string[] = [];
  for (const word of content.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= LONGEST) lines[lines.length - 1] = longer;
    else lines.push(`${indentation} * ${word}`);
  }
  return [`${indentation}/**`, ...lines, `${indentation} */`].join('\n');
}

/** A piece of a line of a program, by what it is. */
export interface Piece {
  readonly kind: 'plain' | 'comment' | 'text' | 'word' | 'number'
  readonly text: string
}

const scriptWords = 'import|from|export|const|let|async|await|test|expect|true|false|return|new|typeof'
const sqlWords =
  'create|table|unique|index|on|where|not|null|default|primary|key|foreign|references|select|count|and|or|from|varchar|int|bigint|numeric|boolean|date|timestamptz|false|true'
const grammars = {
  ts: new RegExp(`(//.*)|('(?:\\\\.|[^'\\\\])*'|"(?:\\\\.|[^"\\\\])*"|\`[^\`]*\`)|\\b(${scriptWords})\\b|\\b(\\d[\\d_]*)\\b`, 'g'),
  sql: new RegExp(`(--.*)|('(?:''|[^'])*'|"(?:""|[^"])*")|\\b(${sqlWords})\\b|\\b(\\d+)\\b`, 'gi'),
  md: /^(#.*)|(`[^`]*`)|(^\d+\.|^-)(?= )/g,
} as const
const kinds = ['comment', 'text', 'word', 'number'] as const

/** A line of a generated file in pieces; of any other file one plain piece. Joined they are the line. */
export const highlight = (path: string, line: string): readonly Piece[] => {
  const end = path.slice(path.lastIndexOf('.') + 1)
  const grammar = end === 'ts' || end === 'sql' || end === 'md' ? grammars[end] : undefined
  if (grammar === undefined) return [{ kind: 'plain', text: line }]
  const pieces: Piece[] = []
  let done = 0
  for (const found of line.matchAll(grammar)) {
    if (found.index > done) pieces.push({ kind: 'plain', text: line.slice(done, found.index) })
    const kind = kinds.find((_, at) => found[at + 1] !== undefined) ?? 'plain'
    pieces.push({ kind, text: found[0] })
    done = found.index + found[0].length
  }
  if (done < line.length) pieces.push({ kind: 'plain', text: line.slice(done) })
  return pieces
}

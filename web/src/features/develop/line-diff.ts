/** A line of a file against what it was. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Above this many pairs of lines the middle counts as replaced: nobody waits for a comparison. */
const mostPairs = 4_000_000

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** The lines of both texts in one list, with as many as possible the same (longest common subsequence). */
export const lineDiff = (before: string, after: string): readonly DiffLine[] => {
  const old = linesOf(before)
  const now = linesOf(after)
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  const left = old.slice(head, old.length - tail)
  const right = now.slice(head, now.length - tail)
  const of = (kind: DiffLine['kind']) => (text: string) => ({ kind, text })
  const middle = left.length * right.length > mostPairs ? [...left.map(of('removed')), ...right.map(of('added'))] : common(left, right)
  return [...now.slice(0, head).map(of('same')), ...middle, ...now.slice(now.length - tail).map(of('same'))]
}

const common = (left: readonly string[], right: readonly string[]): readonly DiffLine[] => {
  const width = right.length + 1
  // How many lines are the same from here to both ends.
  const length = new Uint32Array((left.length + 1) * width)
  const at = (i: number, j: number): number => length[i * width + j] ?? 0
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      length[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      lines.push({ kind: 'same', text: right[j] ?? '' })
      i++
      j++
    } else if (i < left.length && (j === right.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push({ kind: 'removed', text: left[i++] ?? '' })
    else lines.push({ kind: 'added', text: right[j++] ?? '' })
  }
  return lines
}

import type { Label } from '#contract/kernel/label.ts'

export interface DictLine {
  readonly dictKey: string
  readonly dictValue: string
  readonly dictValueEn: string
}
export const mostDictLines = 200

const cells = (line: string): string[] => line.split(line.includes('\t') ? '\t' : /[,，]/).map(cell => cell.trim())

/**
 * Entries as somebody pastes them, a line each: key, name and, if there is one, the name in English, between tabs as they come out of a sheet
 * or between commas. Every line that is wrong is told by its number, the first five of them.
 *
 * @param taken - keys that the dictionary has already
 */
export const readDictLines = (
  text: string,
  taken: ReadonlySet<string>,
): { readonly lines: readonly DictLine[] } | { readonly problem: Label } => {
  const written = text.split(/\r?\n/).flatMap((line, index) => (line.trim() === '' ? [] : [{ number: index + 1, cells: cells(line) }]))
  if (written.length === 0) return { problem: { zh: '请粘贴字典项，每行一项', en: 'Paste the entries, one a line' } }
  if (written.length > mostDictLines)
    return {
      problem: {
        zh: `一次最多 ${mostDictLines} 行，现有 ${written.length} 行`,
        en: `At most ${mostDictLines} lines at once; these are ${written.length}`,
      },
    }
  const seen = new Map<string, number>()
  const lines: DictLine[] = []
  const problems: Label[] = []
  for (const {
    number,
    cells: [dictKey = '', dictValue = '', dictValueEn = '', ...more],
  } of written) {
    const wrong = (zh: string, en: string) => problems.push({ zh: `第 ${number} 行：${zh}`, en: `line ${number}: ${en}` })
    const before = seen.get(dictKey)
    if (dictKey === '' || dictValue === '' || more.length > 0)
      wrong('应为 键值、名称、英文名称（可不填）', 'key, name and, if there is one, the English name')
    else if (/^-\d/.test(dictKey)) wrong('字典键值不能为负数', 'the key cannot be negative')
    else if (dictKey.length > 60 || dictValue.length > 120 || dictValueEn.length > 160)
      wrong('键值最多 60 字、名称最多 120 字、英文名称最多 160 字', 'at most 60 characters for the key, 120 for the name, 160 in English')
    else if (before !== undefined) wrong(`键值 ${dictKey} 与第 ${before} 行重复`, `the key ${dictKey} stands in line ${before} too`)
    else if (taken.has(dictKey)) wrong(`键值 ${dictKey} 已存在`, `the key ${dictKey} is there already`)
    else lines.push({ dictKey, dictValue, dictValueEn })
    if (before === undefined) seen.set(dictKey, number)
  }
  if (problems.length === 0) return { lines }
  const told = problems.slice(0, 5)
  const left = problems.length - told.length
  return {
    problem: {
      zh: told.map(({ zh }) => zh).join('；') + (left > 0 ? `；另有 ${left} 行` : ''),
      en: told.map(({ en }) => en).join('; ') + (left > 0 ? `; and ${left} more` : ''),
    },
  }
}

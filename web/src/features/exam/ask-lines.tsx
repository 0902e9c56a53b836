import { examLabel } from '#contract/exam/exam.labels.ts'
import { examItem } from '#contract/exam/exam.resources.ts'
import type { Label } from '#contract/kernel/label.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import type { Draft } from './edit/draft.ts'
import { linesTexts } from './texts-lines.ts'

export interface MovedLine {
  /** `passScore`, `interviewPass`, or the id of the paper whose line it is. */
  readonly key: string
  readonly label: Label
  /** Empty: none. */
  readonly old: string
  readonly next: string
}

const textOf = (line: unknown): string => (line === null || line === undefined ? '' : String(line).trim())
/** Whether two lines say the same: 60 is 60.00. */
const isSame = (a: string, b: string): boolean => (a === '' || b === '' ? a === b : Number(a) === Number(b))

export const lineOfPaper = (
  paper: { readonly id: string; readonly itemName: string },
  old: unknown,
  next: unknown,
): readonly MovedLine[] => {
  const { zh, en } = examItem.fields.passScore.label
  const [before, after] = [textOf(old), textOf(next)]
  const label = { zh: `${paper.itemName} ${zh}`, en: `${paper.itemName}: ${en}` }
  return isSame(before, after) ? [] : [{ key: paper.id, label, old: before, next: after }]
}

/** Pass lines that differ from what is stored; a paper that is new has no results yet. */
export const movedLines = (draft: Draft, saved: Draft): readonly MovedLine[] => [
  ...(['passScore', 'interviewPass'] as const).flatMap(key => {
    const [old, next] = [textOf(saved.values[key]), textOf(draft.values[key])]
    return isSame(old, next) ? [] : [{ key, label: examLabel(key), old, next }]
  }),
  ...draft.examitems.flatMap(({ id, itemName, passScore }) => {
    const before = saved.examitems.find(paper => paper.id === id)
    return id === undefined || before === undefined ? [] : lineOfPaper({ id, itemName }, before.passScore, passScore)
  }),
]

type Weight = ApiOutput<'GET /blade-exam/examination/weighLines'>

const Moved = ({ lines, weight }: { readonly lines: readonly MovedLine[]; readonly weight: Weight }) => {
  const t = useT(linesTexts)
  const label = useLabel()
  const shown = (line: string) => (line === '' ? t('lines.none') : line)
  return (
    <>
      <p>{t('lines.lead', { count: weight.imported })}</p>
      <Facts
        items={lines.map(line => ({
          key: line.key,
          label: label(line.label),
          value: t('lines.change', { old: shown(line.old), next: shown(line.next) }),
        }))}
      />
      <p>
        <strong>{weight.people === 0 ? t('lines.nobody') : t('lines.people', { count: weight.people })}</strong>
      </p>
      {weight.people === 0 ? null : (
        <ul>
          {(['nowPass', 'nowFail', 'shortlist'] as const)
            .filter(kind => weight[kind] > 0)
            .map(kind => (
              <li key={kind}>{t(`lines.${kind}`, { count: weight[kind] })}</li>
            ))}
        </ul>
      )}
      <p>{t('lines.told')}</p>
    </>
  )
}

/** The words of the question's head and of its button. */
export const useLinesTexts = () => {
  const t = useT(linesTexts)
  return { title: t('lines.title'), ok: t('lines.ok') }
}

/** Asks before pass lines move under results that are known. @returns whether to save */
export const askToMoveLines = async (
  examId: string,
  lines: readonly MovedLine[],
  texts: { readonly title: string; readonly ok: string },
): Promise<boolean> => {
  if (lines.length === 0) return true
  const papers = lines.filter(line => line.key !== 'passScore' && line.key !== 'interviewPass')
  const exam = Object.fromEntries(lines.filter(line => !papers.includes(line)).map(line => [line.key, line.next]))
  const weight = await api.call(
    'GET /blade-exam/examination/weighLines',
    { examId, ...exam, ...(papers.length === 0 ? {} : { papers: papers.map(line => `${line.key}:${line.next}`).join(',') }) },
    { quiet: true },
  )
  if (weight.imported === 0) return true
  return confirm({ ...texts, text: <Moved lines={lines} weight={weight} />, danger: true })
}

import { examLabel } from '#contract/exam/exam.labels.ts'
import { examItem } from '#contract/exam/exam.resources.ts'
import type { Label } from '#contract/kernel/label.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import type { MovedLine } from './moved-lines.ts'
import { askLinesTexts } from './texts-ask-lines.ts'

const labelOf = ({ key, paper }: MovedLine): Label => {
  if (paper === null) return examLabel(key)
  const { zh, en } = examItem.fields.passScore.label
  return { zh: `${paper} ${zh}`, en: `${paper}: ${en}` }
}

type Weight = ApiOutput<'GET /blade-exam/examination/weighLines'>

const Moved = ({ lines, weight }: { readonly lines: readonly MovedLine[]; readonly weight: Weight }) => {
  const t = useT(askLinesTexts)
  const label = useLabel()
  const shown = (line: string) => (line === '' ? t('lines.none') : line)
  return (
    <>
      <p>{t('lines.lead', { count: weight.imported })}</p>
      <Facts
        items={lines.map(line => ({
          key: line.key,
          label: label(labelOf(line)),
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

/** Says whose outcome changes with the lines; where no results are known yet nobody is asked. @returns whether to save */
export const askAboutLines = async (
  examId: string,
  lines: readonly MovedLine[],
  texts: { readonly title: string; readonly ok: string },
): Promise<boolean> => {
  const papers = lines.filter(line => line.paper !== null)
  const exam = Object.fromEntries(lines.filter(line => !papers.includes(line)).map(line => [line.key, line.next]))
  const weight = await api.call(
    'GET /blade-exam/examination/weighLines',
    { examId, ...exam, ...(papers.length === 0 ? {} : { papers: papers.map(line => `${line.key}:${line.next}`).join(',') }) },
    { quiet: true },
  )
  if (weight.imported === 0) return true
  return confirm({ ...texts, text: <Moved lines={lines} weight={weight} />, danger: true })
}

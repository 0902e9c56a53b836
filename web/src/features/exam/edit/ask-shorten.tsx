import { examLabel } from '#contract/exam/exam.labels.ts'
import { api } from '#web/kernel/api.ts'
import { endMinuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { editTexts } from '../texts-edit.ts'
import type { Shortened } from './released.ts'

type Reach = { readonly drafts: number; readonly returned: number; readonly waiting: number; readonly unpaid: number }
/** Whose time it is that a window takes away. */
const concerned: Readonly<Record<string, readonly (keyof Reach)[]>> = {
  signEnd: ['drafts'],
  modifyEnd: ['returned'],
  examineEnd: ['waiting', 'returned'],
  payEnd: ['unpaid'],
}

const Shortening = ({ windows, reach }: { readonly windows: readonly Shortened[]; readonly reach: Reach }) => {
  const t = useT(editTexts)
  const label = useLabel()
  const kinds = [...new Set(windows.flatMap(({ field }) => concerned[field] ?? []))].filter(kind => reach[kind] > 0)
  return (
    <>
      <p>{t('edit.shorten.lead')}</p>
      <Facts
        items={windows.map(({ field, old, next }) => ({
          key: field,
          label: label(examLabel(field)),
          value: t('edit.shorten.line', { old: endMinuteOf(old), next: next === null ? t('edit.shorten.none') : endMinuteOf(next) }),
        }))}
      />
      <p>{t('edit.shorten.whom')}</p>
      <ul>
        {kinds.length === 0 ? (
          <li>{t('edit.shorten.nobody')}</li>
        ) : (
          kinds.map(kind => <li key={kind}>{t(`edit.shorten.${kind}`, { count: reach[kind] })}</li>)
        )}
      </ul>
    </>
  )
}

/** Says whose time the windows take away. @returns whether to save */
export const askAboutWindows = async (
  examId: string,
  windows: readonly Shortened[],
  texts: { readonly title: string; readonly ok: string },
): Promise<boolean> => {
  const reach = await api.call('GET /blade-signup/examine/getWindowReach', { examId })
  return confirm({ ...texts, text: <Shortening windows={windows} reach={reach} />, danger: true })
}

import { useT } from '#web/kernel/i18n/index.ts'
import type { Tone } from '#web/ui/status-tag.tsx'
import { Timeline } from '#web/ui/timeline.tsx'
import { clockOf, type ExamineInfo } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { entryOf } from './entry-of.ts'

const tones: Readonly<Record<number, Tone>> = { 1: 'passed', 2: 'waiting', 3: 'refused' }

/** Who decided what, newest first. */
export const History = ({ records }: { readonly records: ExamineInfo['signup']['records'] }) => {
  const t = useT(reviewTexts)
  return (
    <section className="answers-history">
      <h3>{t('history.title')}</h3>
      {records.length === 0 ? <p className="pane-note">{t('history.none')}</p> : null}
      <Timeline
        entries={[...records].reverse().map(record => ({
          key: record.id,
          time: record.examineTime,
          tone: tones[record.result] ?? 'draft',
          title: entryOf(t, record),
          detail: (
            <>
              {record.remark === null ? null : <p>{record.remark}</p>}
              {record.advisementList.length === 0 ? null : (
                <div className="history-advice">
                  {record.advisementList.map(advice => (
                    <p key={`${advice.kind}:${advice.key}`}>
                      {t('history.advice', { label: advice.label ?? advice.key, advice: advice.advice })}
                    </p>
                  ))}
                </div>
              )}
              <p className="pane-note">
                {t('work.version', { n: record.signVersion })}
                {record.durationMs === null || record.durationMs === 0
                  ? ''
                  : ` · ${t('history.took', { time: clockOf(record.durationMs) })}`}
              </p>
            </>
          ),
        }))}
      />
    </section>
  )
}

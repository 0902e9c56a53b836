import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Tag } from '../kit/blocks.tsx'
import { useServerNow } from '../kit/time.tsx'
import type { ExamDetail } from '../wire.ts'
import { hereOf, type Stage, stageState, stagesOf } from './stages.ts'
import { examTexts } from './texts.ts'

const keys = {
  sign: 'exam.sign',
  modify: 'exam.modify',
  examine: 'exam.examine',
  pay: 'exam.pay',
  ticket: 'exam.ticket',
  score: 'exam.score',
} as const

const instant = (stage: Stage): string => (stage.end === null ? minuteOf(stage.begin) : endMinuteOf(stage.end))

/** Where both ends do not fit beside each other, the second one begins a line. */
const When = ({ stage }: { readonly stage: Stage }) =>
  stage.begin !== null && stage.end !== null ? (
    <>
      <span className="p-left">{`${minuteOf(stage.begin)} –`}</span> <span className="p-left">{endMinuteOf(stage.end)}</span>
    </>
  ) : (
    instant(stage)
  )

interface TimelineProps {
  readonly exam: ExamDetail
  /** Only what comes after a sign-up was handed in; how far it is depends on its review, so no stage is marked as the present one. */
  readonly isAhead?: boolean
  /** Ids of the papers that the reader sits; left out: all. */
  readonly papers?: readonly string[]
}
export const Timeline = ({ exam, isAhead = false, papers }: TimelineProps) => {
  const t = useT(examTexts)
  const now = useServerNow(30_000)
  const all = stagesOf(exam, papers)
  const stages = isAhead ? all.filter(stage => stage.key !== 'sign' && stageState(stage, now) !== 'done') : all
  const here = isAhead ? undefined : hereOf(stages, now, exam.my)
  return (
    <ol className="p-plain p-timeline">
      {stages.map(stage => {
        const state = stageState(stage, now)
        return (
          <li
            key={`${stage.key}${stage.name ?? ''}${stage.begin}`}
            className={stage === here ? 'is-now' : state === 'done' ? 'is-done' : undefined}
            aria-current={stage === here ? 'step' : undefined}
          >
            <div className="p-row">
              <span className="p-strong">{stage.key === 'item' ? stage.name : t(keys[stage.key])}</span>
              {stage === here && <Tag tone="active">{t('exam.here')}</Tag>}
            </div>
            <p className="p-small p-dim p-num">
              {stage.key === 'score' ? t('exam.scorePlan', { time: instant(stage) }) : <When stage={stage} />}
            </p>
          </li>
        )
      })}
    </ol>
  )
}

import { useT } from '#web/kernel/i18n/index.ts'
import { endMinuteOf, minuteOf } from '#web/kernel/wire-time.ts'
import { openTexts } from '../home/open-texts.ts'
import { Tag } from '../kit/blocks.tsx'
import { ClockIcon } from '../kit/icons.tsx'
import { Link } from '../kit/router.tsx'
import { Countdown } from '../kit/time.tsx'
import { examineTone, phaseTone, useStateText } from '../state-text.ts'
import type { ExamCard } from '../wire.ts'

/** One exam in a list: what it is, until when, and how far the candidate has come. */
export const ExamListCard = ({ exam, heading: Heading }: { readonly exam: ExamCard; readonly heading: 'h2' | 'h3' }) => {
  const t = useT(openTexts)
  const text = useStateText()
  return (
    <Link href={`/signup/exam/${exam.id}`} className="p-card p-stack p-gap-s">
      <div className="p-row">
        <Tag tone={phaseTone(exam.phase)}>{text.phase(exam.phase)}</Tag>
        {exam.my && <Tag tone={examineTone(exam.my.examine)}>{text.examine(exam.my.examine)}</Tag>}
      </div>
      <Heading className="p-card-name">{exam.examName}</Heading>
      <p className="p-small p-soft">
        {text.examType(exam.examType)} · {t('home.posts', { posts: exam.postCount, plan: exam.planTotal })}
      </p>
      <p className="p-small p-dim p-line">
        <ClockIcon size={16} />
        {exam.phase === 'signing' ? (
          <span>
            {t('home.closesIn')} {endMinuteOf(exam.signEnd)} · <Countdown until={exam.signEnd} />
          </span>
        ) : (
          <span>
            {exam.phase === 'notStarted'
              ? t('home.opensAt', { time: minuteOf(exam.signBegin) })
              : `${minuteOf(exam.signBegin)} – ${endMinuteOf(exam.signEnd)}`}
          </span>
        )}
      </p>
    </Link>
  )
}

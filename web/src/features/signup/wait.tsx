import { useT } from '#web/kernel/i18n/index.ts'
import { waitOf, waitTone } from './show.ts'
import { waitTexts } from './wait-texts.ts'
import './wait.css'

/** How long somebody has waited, in the same words wherever it is said. */
export const Wait = ({ minutes }: { readonly minutes: number }) => {
  const t = useT(waitTexts)
  const wait = waitOf(minutes)
  const tone = waitTone(minutes)
  const text =
    wait.unit === 'minutes'
      ? t('wait.minutes', { n: wait.n })
      : wait.unit === 'hours'
        ? t('wait.hours', { h: wait.h })
        : t('wait.days', { d: wait.d, h: wait.h })
  return (
    <span className="review-wait" data-tone={tone} title={tone === 'fresh' ? undefined : t(`wait.${tone}`)}>
      {text}
    </span>
  )
}

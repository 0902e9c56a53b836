import { useT } from '#web/kernel/i18n/index.ts'
import type { CheckResult } from './show.ts'
import { reviewTexts } from './texts.ts'
import './check-mark.css'

const strokes: Readonly<Record<CheckResult, string>> = {
  ok: 'm3.5 7 2.3 2.4L10.5 4.6',
  warn: 'M7 3.6v4M7 10v.2',
  no: 'm4.4 4.4 5.2 5.2m0-5.2-5.2 5.2',
}

/** Green, amber or red: colour, sign and word say the same. */
export const CheckMark = ({ result, wordless = false }: { readonly result: CheckResult; readonly wordless?: boolean }) => {
  const t = useT(reviewTexts)
  return (
    <span className="check-mark" data-result={result}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <circle cx="7" cy="7" r="7" />
        <path d={strokes[result]} />
      </svg>
      <span className={wordless ? 'visually-hidden' : undefined}>{t(`check.${result}`)}</span>
    </span>
  )
}

import { useT } from '#web/kernel/i18n/index.ts'
import { laterTexts } from '../later-texts.ts'
import { isInApp } from './in-app.ts'
import { Callout } from './page-ui.tsx'

/** Beside what hands over a file: how to get it where the app around the page would drop it. */
export const InAppNote = () => {
  const t = useT(laterTexts)
  return isInApp ? <Callout tone="warning">{t('app.inApp')}</Callout> : null
}

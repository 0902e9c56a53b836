import { useT } from '#web/kernel/i18n/index.ts'
import { figureTexts } from './texts.ts'

/** A number that tells of few people: a star, and words for whoever hears the page. */
export const HiddenCell = () => {
  const t = useT(figureTexts)
  return (
    <>
      <span aria-hidden="true" title={t('hiddenCell')}>
        *
      </span>
      <span className="visually-hidden">{t('hiddenCell')}</span>
    </>
  )
}

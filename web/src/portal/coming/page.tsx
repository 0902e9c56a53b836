import { useT } from '#web/kernel/i18n/index.ts'
import { Empty } from '../kit/blocks.tsx'
import { PageTitle } from '../kit/page-ui.tsx'
import { ButtonLink } from '../kit/ui.tsx'
import { comingTexts } from './texts.ts'

/** The change of a post, while none has to be changed: what will stand here and where to go meanwhile. */
export const ComingPage = () => {
  const t = useT(comingTexts)
  return (
    <>
      <PageTitle back="/signup/myExam" title={t('adjust.title')} />
      <Empty text={t('adjust.none')} hint={t('adjust.hint')}>
        <ButtonLink to="/signup/myExam">{t('toMine')}</ButtonLink>
      </Empty>
    </>
  )
}

import { useT } from '#web/kernel/i18n/index.ts'
import { PageTitle } from './kit/page-ui.tsx'
import { ButtonLink, Empty } from './kit/ui.tsx'
import { laterTexts } from './later-texts.ts'

export const NotFoundPage = () => {
  const t = useT(laterTexts)
  return (
    <>
      <PageTitle title={t('state.notFound')} />
      <Empty text={t('state.notFoundHint')}>
        <ButtonLink to="/" look="primary">
          {t('state.toHome')}
        </ButtonLink>
      </Empty>
    </>
  )
}

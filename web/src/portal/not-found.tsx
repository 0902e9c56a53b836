import { useT } from '#web/kernel/i18n/index.ts'
import { ButtonLink, Empty, PageTitle } from './kit/ui.tsx'
import { portalTexts } from './texts.ts'

export const NotFoundPage = () => {
  const t = useT(portalTexts)
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

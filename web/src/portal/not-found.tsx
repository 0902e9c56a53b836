import { useT } from '#web/kernel/i18n/index.ts'
import { Empty } from './kit/blocks.tsx'
import { PageTitle } from './kit/page-ui.tsx'
import { ButtonLink } from './kit/ui.tsx'
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

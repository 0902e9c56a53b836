import { oss } from '#contract/file/oss.resource.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { PlacesPanel } from './places-panel.tsx'
import { fileTexts } from './texts.ts'
import './file.css'

/** Where files are kept, and where they lie now (S7.24). */
export const Page = () => {
  const t = useT(fileTexts)
  return (
    <ResourcePage
      resource={oss}
      above={
        <>
          <p className="page-lead">{t('storage.lead')}</p>
          <PlacesPanel />
        </>
      }
    />
  )
}

import { useState } from 'react'
import { referenceImports } from '#contract/reference/import-kinds.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { ImportRun } from '#web/resource/import-run.tsx'
import { Check } from '#web/ui/labelled.tsx'
import { regionTexts } from './texts.ts'

/** Regions by workbook; what is there already is left alone unless that is asked for. */
export const RegionImport = ({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(regionTexts)
  const [covered, setCovered] = useState(false)
  return (
    <ImportRun
      title={t('import.title')}
      of={referenceImports.regions}
      fields={{ isCovered: covered ? '1' : '0' }}
      options={
        <>
          <p>{t('import.lead')}</p>
          <Check label={t('import.covered')} on={covered} onChange={setCovered} />
        </>
      }
      onClose={onClose}
      onDone={onDone}
    />
  )
}

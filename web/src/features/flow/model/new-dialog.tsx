import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { goTo } from '#web/shell/go.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { FileDrop } from '#web/ui/uploader.tsx'
import { keepImported } from './imported.ts'
import { readXml } from './read-xml.ts'
import { templates } from './templates.ts'
import { modelTexts } from './texts.ts'

const limits = { types: ['bpmn', 'xml'], maxBytes: 2 * 1024 * 1024 }

/** Chooses what a new process begins with. */
export const NewDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(modelTexts)
  const [broken, setBroken] = useState<string | null>(null)
  const take = async (file: File) => {
    const xml = await file.text()
    const { key } = await readXml(xml)
    setBroken(key === '' ? file.name : null)
    if (key === '') return
    keepImported(xml)
    onClose()
    goTo('/flow/design/new?from=file')
  }
  return (
    <ActionDialog title={t('new.title')} size="two" onClose={onClose}>
      <p>{t('new.lead')}</p>
      <ul className="flow-starts">
        {templates.map(template => (
          <li key={template} className="card">
            <h3>{t(`template.${template}`)}</h3>
            <p>{t(`template.${template}.about`)}</p>
            <button
              type="button"
              className="button button-small"
              aria-label={t(`template.${template}`)}
              onClick={() => {
                onClose()
                goTo(`/flow/design/new?from=${template}`)
              }}
            >
              {t('models.design')}
            </button>
          </li>
        ))}
      </ul>
      <h3>{t('new.import')}</h3>
      {broken === null ? null : (
        <p className="field-error" role="alert">
          {t('new.broken', { name: broken })}
        </p>
      )}
      <FileDrop limits={limits} onFile={file => void take(file)} />
    </ActionDialog>
  )
}

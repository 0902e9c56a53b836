import { Suspense, useState } from 'react'
import { useT } from '../../kernel/i18n/index.ts'
import { lazyPart } from '../../kernel/lazy-part.ts'
import { Dialog } from '../../ui/modal.tsx'
import { PageSkeleton } from '../../ui/states.tsx'
import { FileDrop } from '../../ui/uploader.tsx'
import { shellTexts } from '../texts.ts'
import './flow.css'

const FlowCanvas = lazyPart(async () => (await import('./canvas.tsx')).FlowCanvas)
const limits = { types: ['bpmn', 'xml'], maxBytes: 2 * 1024 * 1024 }

/** S2.38: looks at a BPMN file from this computer; it is not sent anywhere. */
export const FlowDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(shellTexts)
  const [opened, setOpened] = useState<{ readonly name: string; readonly xml: string } | null>(null)
  const [broken, setBroken] = useState<string | null>(null)
  const open = async (file: File) => {
    setBroken(null)
    setOpened({ name: file.name, xml: await file.text() })
  }
  return (
    <Dialog title={opened === null ? t('flow.title') : opened.name} size="three" onClose={onClose}>
      {opened === null ? (
        <div className="flow-choose">
          <p>{t('flow.help')}</p>
          {broken === null ? null : (
            <p className="field-error" role="alert">
              {t('flow.broken')}
              <br />
              <small>{broken}</small>
            </p>
          )}
          <FileDrop limits={limits} onFile={file => void open(file)} />
        </div>
      ) : (
        <>
          <Suspense fallback={<PageSkeleton />}>
            <FlowCanvas
              xml={opened.xml}
              onBroken={reason => {
                setOpened(null)
                setBroken(reason)
              }}
            />
          </Suspense>
          <button type="button" className="button" onClick={() => setOpened(null)}>
            {t('flow.another')}
          </button>
        </>
      )}
    </Dialog>
  )
}

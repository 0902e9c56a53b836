import { lazy, Suspense, useEffect, useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { upload } from '#web/kernel/upload.ts'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { JobTable } from '#web/resource/export-dialog.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { ImportBody } from '#web/resource/import-body.tsx'
import type { Fixes, SureRows } from '#web/resource/import-result.ts'
import { type StoredFile, UploadList } from '#web/ui/upload-list.tsx'
import { FileDrop, type Send, type Sending, SendingFile } from '#web/ui/uploader.tsx'
import { Block } from './block.tsx'
import type { PartProps } from './parts.ts'
import { exportJobs, importsOf } from './sample.ts'
import { kitTexts } from './texts.ts'

const CropDialog = lazy(async () => ({ default: (await import('#web/ui/crop-dialog.tsx')).CropDialog }))
const file = new File([new Uint8Array(48_000)], 'HZ2026A.xlsx')
const sendings: Readonly<Record<string, Sending>> = {
  sending: { file, share: 0.45, attempt: 0, failed: false, refused: null },
  retry: { file, share: 0, attempt: 2, failed: false, refused: null },
  sendFailed: { file, share: 0.7, attempt: 5, failed: true, refused: null },
}

/** The window of an import, step by step. */
export const ImportPart = ({ state }: PartProps) => {
  const t = useT(kitTexts)
  const lang = useLang()
  const [fixes, setFixes] = useState<Fixes>(new Map())
  const [onlyOk, setOnlyOk] = useState(false)
  const [sure, setSure] = useState<SureRows>(new Set())
  const said = () => notify('info', t('retried'))
  return (
    <Block title={t('part.import')}>
      <ImportBody
        result={importsOf(lang)[state] ?? null}
        sending={sendings[state] ?? null}
        partial
        onlyOk={onlyOk}
        onOnlyOk={setOnlyOk}
        fixes={fixes}
        onFixes={setFixes}
        sure={sure}
        onSure={setSure}
        onFile={chosen => notify('info', t('did', { what: chosen.name }))}
        onSendAgain={said}
        onStopSending={said}
        onCancel={said}
        onTemplate={said}
      />
    </Block>
  )
}

/** Exports in every state; the button orders a real one, of the parameters. */
export const ExportPart = ({ state }: PartProps) => {
  const t = useT(kitTexts)
  const said = () => notify('info', t('retried'))
  return (
    <Block title={t('part.export')}>
      <div>
        <ExportButtons onExport={() => startExport({ method: 'GET', path: '/blade-system/param/export' }, t('part.export'))} />
      </div>
      <JobTable jobs={state === 'empty' ? [] : exportJobs} justOrdered="3" onDownload={said} onCancel={said} />
    </Block>
  )
}

const pictures = { types: ['jpg', 'png'], maxBytes: 5 * 1024 * 1024 } as const
const attachments = { types: ['jpg', 'png', 'pdf'], maxBytes: 500 * 1024, shrink: true } as const
const avatar = { width: 256, height: 256 } as const

const store: Send<StoredFile> = async (chosen, { idempotencyKey, ...progress }) => {
  const fields = { purpose: 'document', name: chosen.name }
  const stored = await upload<ApiOutput<'POST /file/upload'>>('/file/upload', chosen, { ...progress, idempotencyKey, fields })
  return { id: stored.fileId, name: stored.name, sizeBytes: stored.sizeBytes, link: stored.link }
}

const Crop = () => {
  const t = useT(kitTexts)
  const [source, setSource] = useState<File | null>(null)
  const [result, setResult] = useState<{ readonly url: string; readonly name: string } | null>(null)
  useEffect(() => () => (result === null ? undefined : URL.revokeObjectURL(result.url)), [result])
  return (
    <Block title={t('upload.avatar')}>
      <FileDrop limits={pictures} onFile={setSource} />
      {result === null ? null : <img className="kit-avatar" src={result.url} alt={t('upload.result')} />}
      {source === null ? null : (
        <Suspense>
          <CropDialog
            source={source}
            title={t('upload.crop')}
            size={avatar}
            maxBytes={500_000}
            round
            onUse={async picture => {
              setResult({ url: URL.createObjectURL(picture), name: picture.name })
              return true
            }}
            onClose={() => setSource(null)}
          />
        </Suspense>
      )}
    </Block>
  )
}

/** Files on their way to the server, for real; the states of a transfer by hand. */
export const UploadPart = ({ state }: PartProps) => {
  const t = useT(kitTexts)
  const [files, setFiles] = useState<readonly StoredFile[]>([])
  const sending = sendings[state]
  const said = () => notify('info', t('retried'))
  return (
    <div className="kit-grid">
      <Block title={t('upload.list')}>
        {sending === undefined ? null : <SendingFile sending={sending} onAgain={said} onCancel={said} />}
        <UploadList limits={attachments} most={3} value={files} onChange={setFiles} send={store} />
      </Block>
      <Crop />
    </div>
  )
}

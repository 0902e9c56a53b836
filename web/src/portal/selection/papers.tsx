import { useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { acceptAttribute, asSendable } from '#web/kernel/picture.ts'
import { useSaid } from '#web/kernel/said.ts'
import { upload } from '#web/kernel/upload.ts'
import { Card } from '../kit/card.tsx'
import { FileIcon, TrashIcon } from '../kit/page-icons.tsx'
import { Callout, Progress } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { selectionTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-signup/selection/mine'>[number]
type Asked = Row['files'][number]
type Upload = Asked['uploads'][number]
type Stored = ApiOutput<'POST /file/upload'>

const One = ({ file, onRemove }: { readonly file: Upload; readonly onRemove: (() => void) | undefined }) => {
  const t = useT(selectionTexts)
  return (
    <div className="p-file">
      <FileIcon size={24} />
      <span style={{ flex: 1, minWidth: 0 }}>
        <a href={file.link} target="_blank" rel="noreferrer">
          {file.name}
        </a>
        <span className="p-help">{sizeOf(file.sizeBytes)}</span>
      </span>
      {onRemove !== undefined && (
        <button type="button" className="p-icon-btn" aria-label={t('remove', { name: file.name })} onClick={onRemove}>
          <TrashIcon />
        </button>
      )}
    </div>
  )
}

const Box = ({
  rule,
  files,
  error,
  onChange,
}: {
  readonly rule: Asked
  readonly files: readonly Upload[]
  readonly error: string | undefined
  /** Absent where nothing can be changed. */
  readonly onChange: ((files: readonly Upload[]) => void) | undefined
}) => {
  const t = useT(selectionTexts)
  const label = useLabel()
  const [sending, setSending] = useState<{ readonly name: string; readonly share: number } | null>(null)
  const take = async (picked: File) => {
    setSending({ name: picked.name, share: 0 })
    try {
      const file = await asSendable(picked, rule.maxKb * 1024)
      if (file === undefined) return notify('error', label(heicAdvice))
      const stored = await upload<Stored>('/file/upload', file, {
        fields: { purpose: 'document' },
        onProgress: share => setSending({ name: picked.name, share }),
      })
      const { fileId, originalName, sizeBytes, link } = stored
      onChange?.([...files, { fileId, name: originalName, sizeBytes, link }])
    } catch {
      // The client has said why.
    } finally {
      setSending(null)
    }
  }
  return (
    <div className="p-stack p-gap-s">
      <p>
        <strong>{rule.fileLabel}</strong> {rule.required === 1 && <span className="p-small p-dim">({t('required')})</span>}
      </p>
      <p className="p-help">
        {t('rule', { accept: rule.accept.replaceAll(',', '、'), size: Math.round((rule.maxKb / 1024) * 10) / 10, count: rule.maxCount })}
        {rule.help !== '' && ` · ${rule.help}`}
      </p>
      {files.map(file => (
        <One key={file.fileId} file={file} onRemove={onChange && (() => onChange(files.filter(one => one.fileId !== file.fileId)))} />
      ))}
      {sending !== null && <Progress percent={sending.share * 100} label={t('sending', { name: sending.name })} />}
      {onChange !== undefined && sending === null && files.length < rule.maxCount && (
        <label className="p-btn">
          {t('add')}
          <input
            type="file"
            className="p-hidden"
            aria-label={`${t('add')} ${rule.fileLabel}`}
            accept={acceptAttribute(rule.accept)}
            onChange={event => {
              const [picked] = event.target.files ?? []
              event.target.value = ''
              if (picked !== undefined) void take(picked)
            }}
          />
        </label>
      )}
      {error !== undefined && (
        <p className="p-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** The papers that the re-review asks for: chosen, looked at, handed in together. */
export const Papers = ({ row, onDone }: { readonly row: Row; readonly onDone: () => Promise<void> }) => {
  const t = useT(selectionTexts)
  const [changed, setChanged] = useState<Readonly<Record<string, readonly Upload[]>>>({})
  const [errors, setErrors] = useSaid<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const filesOf = (rule: Asked) => changed[rule.fileKey] ?? rule.uploads
  const isChanged = Object.keys(changed).length > 0
  const send = async () => {
    const missing = row.files.filter(rule => rule.required === 1 && filesOf(rule).length === 0)
    setErrors(Object.fromEntries(missing.map(rule => [rule.fileKey, t('missing', { name: rule.fileLabel })])))
    if (missing.length > 0) return
    setBusy(true)
    try {
      const fileIds = Object.fromEntries(row.files.map(rule => [rule.fileKey, filesOf(rule).map(file => file.fileId)]))
      await api.call('POST /blade-signup/selection/handIn', { signupId: row.signupId, fileIds: JSON.stringify(fileIds) })
      notify('success', t('handedIn'))
      setChanged({})
      await onDone()
    } catch {
      // The client has said why; what was chosen stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('papers')}>
      <div className="p-stack">
        {row.advisements.length > 0 && (
          <Callout tone="warning">
            {t('asked')}
            <ul>
              {row.advisements.map(({ advice }) => (
                <li key={advice}>{advice}</li>
              ))}
            </ul>
          </Callout>
        )}
        {row.files.map(rule => (
          <Box
            key={rule.fileKey}
            rule={rule}
            files={filesOf(rule)}
            error={errors[rule.fileKey]}
            onChange={
              row.mayUpload
                ? files => {
                    setChanged(before => ({ ...before, [rule.fileKey]: files }))
                    setErrors(({ [rule.fileKey]: _, ...rest }) => rest)
                  }
                : undefined
            }
          />
        ))}
        {row.mayUpload && (
          <>
            {isChanged && <p className="p-small p-dim">{t('unsent')}</p>}
            <Button look="primary" block busy={busy} onClick={() => void send()}>
              {t('handIn')}
            </Button>
          </>
        )}
      </div>
    </Card>
  )
}

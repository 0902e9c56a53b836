import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { judgePhoto } from '#contract/signup/photo.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { acceptAttribute, acceptedTypes, asSendable, isAccepted, shrink } from '#web/kernel/picture.ts'
import { Tag } from '../kit/blocks.tsx'
import { AlertIcon } from '../kit/icons.tsx'
import { CameraIcon, CheckIcon, FileIcon, TrashIcon } from '../kit/page-icons.tsx'
import { Callout, Progress } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignFile, UploadedFile } from '../wire.ts'
import { FindingLines } from './photo-findings.tsx'
import { formTexts } from './texts.ts'
import type { Upload, UploadQueue } from './uploads.ts'

const PhotoCrop = lazy(async () => ({ default: (await import('./photo-crop.tsx')).PhotoCrop }))

/** Of a picture that is turned into a JPEG first; what is cut out of it is made small. */
const mostBytesToCrop = 8 * 1024 * 1024
/** The certified photo is cropped; everything else goes as it is. */
const photoKind = 1

const isPicture = (file: UploadedFile): boolean => /\.(jpe?g|png|webp)$/i.test(file.name) || Boolean(file.mime?.startsWith('image/'))

/** The picture; its icon where it cannot be had, as while there is no network. */
const Thumb = ({ file }: { readonly file: UploadedFile }) => {
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (!isLost) return
    const again = () => setLost(false)
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [isLost])
  return file.link && isPicture(file) && !isLost ? (
    <img src={file.link} alt={file.name} className="p-thumb" onError={() => setLost(true)} />
  ) : (
    <FileIcon size={28} />
  )
}

const Arrived = ({ file, rule, onRemove }: { readonly file: UploadedFile; readonly rule: SignFile; readonly onRemove?: () => void }) => {
  const t = useT(formTexts)
  const isPortrait = rule.kind === photoKind
  return (
    <div className="p-stack p-gap-s">
      <div className="p-file">
        <Thumb file={file} />
        <span style={{ flex: 1, minWidth: 0 }}>
          {file.link ? (
            <a href={file.link} target="_blank" rel="noreferrer" aria-label={t('form.files.open', { name: file.name })}>
              {file.name}
            </a>
          ) : (
            file.name
          )}
          <span className="p-help p-row" style={{ gap: 4 }}>
            <CheckIcon size={16} />
            {/* Of a portrait a small copy is kept, whose size is neither that of the picture nor of what is judged. */}
            {t('form.files.done')} {!isPortrait && `· ${sizeOf(file.sizeBytes)}`}
          </span>
        </span>
        {onRemove !== undefined && (
          <button type="button" className="p-icon-btn" aria-label={t('form.files.remove', { name: file.name })} onClick={onRemove}>
            <TrashIcon />
          </button>
        )}
      </div>
      {isPortrait && file.checks && file.checks.length > 0 && (
        <ul className="p-plain p-stack p-gap-s" aria-label={t('form.files.checks')}>
          <FindingLines findings={judgePhoto(rule.pixel, file.checks)} />
        </ul>
      )}
    </div>
  )
}

const OnItsWay = ({ one, queue }: { readonly one: Upload; readonly queue: UploadQueue }) => {
  const t = useT(formTexts)
  const text =
    one.phase === 'failed'
      ? (one.message ?? t('form.files.failed'))
      : one.phase === 'queued'
        ? t('form.files.queued')
        : one.phase === 'waiting'
          ? one.attempt > 0 && one.message === null && navigator.onLine
            ? t('form.files.retrying', { attempt: one.attempt })
            : t('form.files.waiting')
          : `${Math.round(one.share * 100)}%`
  return (
    <div className="p-stack p-gap-s">
      <div className="p-file">
        <FileIcon size={28} />
        <span style={{ flex: 1, minWidth: 0 }}>
          {one.file.name}
          <span
            className={one.phase === 'failed' ? 'p-error' : 'p-help'}
            style={{ display: 'block' }}
            role={one.phase === 'failed' ? 'alert' : undefined}
          >
            {text}
          </span>
        </span>
        {(one.phase === 'failed' || one.phase === 'waiting') && (
          <Button look="text" onClick={() => queue.retry(one.localId)}>
            {t('action.retry')}
          </Button>
        )}
        <button
          type="button"
          className="p-icon-btn"
          aria-label={t('form.files.remove', { name: one.file.name })}
          onClick={() => queue.cancel(one.localId)}
        >
          <TrashIcon />
        </button>
      </div>
      {one.phase !== 'failed' && <Progress percent={one.share * 100} label={t('form.files.uploading', { name: one.file.name })} />}
    </div>
  )
}

export interface FileBoxProps {
  readonly rule: SignFile
  readonly files: readonly UploadedFile[]
  readonly queue: UploadQueue
  readonly problem?: string | undefined
  readonly advice?: string | undefined
  /** Why a file is wished for that may be left out. */
  readonly wish?: string | undefined
  readonly locked: boolean
  readonly onRemove: (fileId: string) => void
}

/** One required document: its rule, what is there, what is on its way, and the button for more. */
export const FileBox = ({ rule, files, queue, problem, advice, wish, locked, onRemove }: FileBoxProps) => {
  const t = useT(formTexts)
  const say = useLabel()
  const [trouble, setTrouble] = useState<string | null>(null)
  const [cropping, setCropping] = useState<File | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const belowId = useId()
  const onWay = queue.useUploads(state => state.uploads).filter(one => one.fileKey === rule.fileKey)
  const isPhoto = rule.kind === photoKind
  const maxCount = rule.maxCount ?? 1
  const maxBytes = (rule.maxKb ?? (isPhoto ? 500 : 2048)) * 1024
  const types = acceptedTypes(rule.accept)
    .filter(type => type !== 'jpeg')
    .join(' / ')
    .toUpperCase()
  // What has failed takes no place: another file may be chosen at once.
  const count = files.length + onWay.filter(one => one.phase !== 'failed').length

  const put = (file: File) => {
    // With room for one a new file takes the place of the old, which stays until the new one has arrived.
    for (const one of onWay) if (maxCount === 1 || one.phase === 'failed') queue.cancel(one.localId)
    queue.add(rule.fileKey, file, isPhoto)
  }
  const take = async (chosen: FileList | null) => {
    setTrouble(null)
    for (const given of [...(chosen ?? [])].slice(0, maxCount === 1 ? 1 : Math.max(0, maxCount - count))) {
      const file = await asSendable(given, isPhoto ? mostBytesToCrop : maxBytes)
      if (file === undefined) {
        setTrouble(say(heicAdvice))
        continue
      }
      if (!isAccepted(file, rule.accept)) {
        setTrouble(t('form.files.badType', { types }))
        continue
      }
      if (isPhoto) {
        setCropping(file)
        return
      }
      let ready = file
      try {
        ready = await shrink(file, maxBytes)
      } catch {
        setTrouble(t('form.files.unreadable'))
        continue
      }
      if (ready.size > maxBytes) setTrouble(t('form.files.tooBig', { size: sizeOf(ready.size), max: sizeOf(maxBytes) }))
      else if (rule.minKb && ready.size < rule.minKb * 1024) setTrouble(t('form.files.tooSmall'))
      else put(ready)
    }
    if (input.current !== null) input.current.value = ''
  }

  const error = trouble ?? problem
  return (
    <section className="p-card p-stack p-gap-s" aria-labelledby={`${belowId}-title`} data-field={`file:${rule.fileKey}`}>
      <div className="p-row-between">
        <h3 id={`${belowId}-title`}>{rule.fileLabel}</h3>
        {rule.required ? (
          <Tag tone={files.length > 0 ? 'success' : 'warning'}>{t(files.length > 0 ? 'form.files.done' : 'form.files.required')}</Tag>
        ) : (
          wish && <Tag tone="warning">{wish}</Tag>
        )}
      </div>
      {advice !== undefined && <Callout tone="warning">{t('form.fix.advice', { advice })}</Callout>}
      <div className="p-help" id={belowId}>
        {t('form.files.rule', { types, size: sizeOf(maxBytes) })}
        {maxCount > 1 && ` · ${t('form.files.count', { count: maxCount })}`}
        {rule.help && <div>{rule.help}</div>}
        {rule.sampleUrl && (
          <a href={rule.sampleUrl} target="_blank" rel="noreferrer">
            {t('form.files.sample')}
          </a>
        )}
      </div>
      {files.map(file => (
        <Arrived key={file.fileId} file={file} rule={rule} {...(locked ? {} : { onRemove: () => onRemove(file.fileId) })} />
      ))}
      {onWay.map(one => (
        <OnItsWay key={one.localId} one={one} queue={queue} />
      ))}
      {error && (
        <p className="p-error" role="alert" id={`${belowId}-error`}>
          <AlertIcon size={16} />
          <span>{error}</span>
        </p>
      )}
      {locked ? (
        <p className="p-help">{t('form.fix.locked')}</p>
      ) : (
        (maxCount === 1 || count < maxCount) && (
          <label className={`p-btn is-block${count === 0 ? ' is-primary' : ''} p-file-btn`}>
            <CameraIcon size={20} />
            {t(
              count === 0
                ? isPhoto
                  ? 'form.files.photo'
                  : 'form.files.choose'
                : maxCount === 1
                  ? 'form.files.replace'
                  : 'form.files.more',
            )}
            <input
              ref={input}
              type="file"
              className="p-hidden"
              name={`file:${rule.fileKey}`}
              accept={acceptAttribute(rule.accept)}
              multiple={maxCount > 1}
              aria-describedby={error ? `${belowId}-error` : belowId}
              aria-label={rule.fileLabel}
              onChange={event => void take(event.target.files)}
            />
          </label>
        )
      )}
      {cropping !== null && (
        <Suspense fallback={null}>
          <PhotoCrop
            source={cropping}
            rule={rule}
            onClose={() => {
              setCropping(null)
              if (input.current !== null) input.current.value = ''
            }}
            onBroken={() => {
              setCropping(null)
              setTrouble(t('form.files.unreadable'))
              if (input.current !== null) input.current.value = ''
            }}
            onUse={photo => {
              setCropping(null)
              if (input.current !== null) input.current.value = ''
              put(photo)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}

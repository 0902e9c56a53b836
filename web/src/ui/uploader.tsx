import { type ChangeEvent, type DragEvent, useRef, useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { acceptOf, isOfKind } from '../kernel/accept.ts'
import { isApiError } from '../kernel/api-error.ts'
import { sizeOf } from '../kernel/format.ts'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { newKey } from '../kernel/send.ts'
import { ProgressBar } from './progress-bar.tsx'
import { uiTexts } from './texts.ts'

export interface FileLimits {
  /** Endings without the dot: `['xlsx']`, `['jpg', 'png']`. */
  readonly types: readonly string[]
  readonly maxBytes: number
  /** Pictures that are too large are made smaller here, before they travel. */
  readonly shrink?: boolean
}

/** Why a file is not taken; the server looks again, by content. */
export const fileProblem = (file: { readonly name: string; readonly size: number }, limits: FileLimits): 'type' | 'size' | null =>
  !isOfKind(file.name, limits.types) ? 'type' : file.size > limits.maxBytes ? 'size' : null

interface DropProps {
  readonly limits: FileLimits
  readonly onFile: (file: File) => void
  /** `onFile` runs once per file. */
  readonly multiple?: boolean
  readonly disabled?: boolean
}

const isForPictures = ({ types }: FileLimits): boolean => types.includes('jpg') || types.includes('png')

/** A file as it may be sent; says why when it may not. A picture that cannot be read goes as it is: the server looks at it anyway. */
const useTake = (limits: FileLimits, onFile: (file: File) => void) => {
  const t = useT(uiTexts)
  const types = limits.types.join(' / ')
  const size = sizeOf(limits.maxBytes)
  const say = useLabel()
  return async (given: File) => {
    const chosen = isForPictures(limits)
      ? await import('../kernel/picture.ts').then(picture => picture.asSendable(given, limits.maxBytes))
      : given
    if (chosen === undefined) return notify('warning', `${given.name}: ${say(heicAdvice)}`)
    const isTooBig = limits.shrink === true && fileProblem(chosen, limits) === 'size'
    const file = isTooBig
      ? await import('../kernel/picture.ts').then(picture => picture.shrink(chosen, limits.maxBytes)).catch(() => chosen)
      : chosen
    const problem = fileProblem(file, limits)
    if (problem === 'type') notify('warning', t('upload.wrongType', { name: file.name, types }))
    else if (problem === 'size') notify('warning', t('upload.tooBig', { name: file.name, size }))
    else onFile(file)
  }
}

/** A place for files: dropped or chosen. What becomes of them is the caller's. */
export const FileDrop = ({ limits, onFile, multiple = false, disabled = false }: DropProps) => {
  const t = useT(uiTexts)
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = useTake(limits, onFile)
  const takeAll = (files: FileList | null) => {
    if (!disabled) for (const file of [...(files ?? [])].slice(0, multiple ? undefined : 1)) void take(file)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    takeAll(event.dataTransfer.files)
  }
  const onChoose = (event: ChangeEvent<HTMLInputElement>) => {
    takeAll(event.target.files)
    event.target.value = ''
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's way, the button below is everybody's
    <div
      className="upload-drop"
      data-over={over}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <span>{t('upload.drop')}</span>
      <button type="button" className="button" disabled={disabled} onClick={() => input.current?.click()}>
        {t('action.choose')}
      </button>
      <input ref={input} type="file" style={{ display: 'none' }} multiple={multiple} accept={acceptOf(limits.types)} onChange={onChoose} />
      <small>{t('upload.limit', { types: limits.types.join(' / '), size: sizeOf(limits.maxBytes) })}</small>
    </div>
  )
}

export interface Progress {
  readonly onProgress: (share: number) => void
  readonly onRetry: (attempt: number) => void
  readonly signal: AbortSignal
}
export type Send<T> = (file: File, progress: Progress & { readonly idempotencyKey: string }) => Promise<T>
export interface Sending {
  readonly file: File
  readonly share: number
  readonly attempt: number
  readonly failed: boolean
  /** The server's reason, when it has looked at the file and refused it: sending it again would end the same way. */
  readonly refused: string | null
}

/** Null when no answer came or the server was not well: then the same file may go through. */
export const refusalOf = (error: unknown): string | null =>
  isApiError(error) && error.status >= 400 && error.status < 500 && ![401, 408, 423, 429].includes(error.status) ? error.message : null

/**
 * Sends a file with what a person wants to see of it. `send` is usually `upload(path, file, { ...progress, idempotencyKey })`:
 * the key stays the same when the person presses "again", so nothing is stored twice.
 */
export const useSendFile = <T,>(send: Send<T>, onDone: (answer: T, file: File) => void) => {
  const [sending, setSending] = useState<Sending | null>(null)
  const running = useRef<AbortController | null>(null)
  const key = useRef('')
  // No clean-up that stops it: clean-ups also run when the tab is only hidden, and a file goes on there.
  const start = async (file: File, again: boolean) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    if (!again) key.current = newKey()
    const show = (part: Partial<Sending>) => {
      if (!stop.signal.aborted)
        setSending(before => ({
          file,
          share: 0,
          attempt: 0,
          failed: false,
          refused: null,
          ...(before?.file === file ? before : {}),
          ...part,
        }))
    }
    show({ share: 0, attempt: 0, failed: false, refused: null })
    try {
      const answer = await send(file, {
        onProgress: share => show({ share }),
        onRetry: attempt => show({ attempt, share: 0 }),
        signal: stop.signal,
        idempotencyKey: key.current,
      })
      if (stop.signal.aborted) return
      setSending(null)
      onDone(answer, file)
    } catch (error) {
      show({ failed: true, refused: refusalOf(error) })
    }
  }
  return {
    sending,
    start: (file: File) => void start(file, false),
    again: () => sending !== null && void start(sending.file, true),
    cancel: () => {
      running.current?.abort()
      setSending(null)
    },
  }
}

export const SendingFile = ({
  sending,
  onAgain,
  onCancel,
}: {
  readonly sending: Sending
  readonly onAgain: () => void
  readonly onCancel: () => void
}) => {
  const t = useT(uiTexts)
  const percent = Math.round(sending.share * 100)
  const text = sending.failed
    ? (sending.refused ?? t('upload.failed'))
    : sending.attempt > 0 && percent === 0
      ? t('upload.retrying', { attempt: sending.attempt })
      : t('upload.sending', { percent })
  return (
    <div className="upload-sending">
      <div>
        {sending.file.name} ({sizeOf(sending.file.size)})
      </div>
      <ProgressBar percent={sending.failed ? 0 : percent} text={text} label={sending.file.name} failed={sending.failed}>
        {sending.failed && sending.refused === null ? (
          <button type="button" className="link-button" onClick={onAgain}>
            {t('action.retry')}
          </button>
        ) : null}
        <button type="button" className="link-button" onClick={onCancel}>
          {t(sending.refused === null ? 'action.cancel' : 'import.again')}
        </button>
      </ProgressBar>
    </div>
  )
}

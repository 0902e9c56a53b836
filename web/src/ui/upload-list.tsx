import { useEffect, useState } from 'react'
import { sizeOf } from '../kernel/format.ts'
import { useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { newKey } from '../kernel/send.ts'
import { uiTexts } from './texts.ts'
import { FileDrop, type FileLimits, type Send, SendingFile, useSendFile } from './uploader.tsx'

/** A file that the server has. */
export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly sizeBytes: number
  /** Where it can be read. */
  readonly link?: string
}

interface Props {
  readonly limits: FileLimits
  /** At most so many files. */
  readonly most: number
  readonly value: readonly StoredFile[]
  readonly onChange: (change: (files: readonly StoredFile[]) => readonly StoredFile[]) => void
  /** Usually `upload('/file/upload', file, { ...progress })` turned into a `StoredFile`. */
  readonly send: Send<StoredFile>
}

/** More at once would only share the line. */
const atOnce = 2

const Item = ({
  file,
  mayStart,
  send,
  onDone,
  onCancel,
}: {
  readonly file: File
  readonly mayStart: boolean
  readonly send: Send<StoredFile>
  readonly onDone: (stored: StoredFile) => void
  readonly onCancel: () => void
}) => {
  const { sending, start, again, cancel } = useSendFile(send, onDone)
  const [started, setStarted] = useState(false)
  useEffect(() => {
    if (started || !mayStart) return
    setStarted(true)
    start(file)
  }, [started, mayStart, start, file])
  return (
    <SendingFile
      sending={sending ?? { file, share: 0, attempt: 0, failed: false, refused: null }}
      onAgain={again}
      onCancel={() => {
        cancel()
        onCancel()
      }}
    />
  )
}

/** Several files with the progress of each; a dropped connection goes on by itself, a failed file waits for "again". */
export const UploadList = ({ limits, most, value, onChange, send }: Props) => {
  const t = useT(uiTexts)
  const [waiting, setWaiting] = useState<readonly { readonly key: string; readonly file: File }[]>([])
  const drop = (key: string) => setWaiting(before => before.filter(each => each.key !== key))
  const add = (file: File) => {
    if (value.length + waiting.length >= most) return notify('warning', t('upload.most', { most }))
    setWaiting(before => (value.length + before.length >= most ? before : [...before, { key: newKey(), file }]))
  }
  return (
    <div className="upload-list">
      {value.length + waiting.length >= most ? null : <FileDrop limits={limits} multiple={most > 1} onFile={add} />}
      {value.length + waiting.length === 0 ? null : (
        <ul aria-label={t('upload.files')}>
          {value.map(file => (
            <li key={file.id} className="upload-stored">
              <span>
                {file.link === undefined ? (
                  file.name
                ) : (
                  <a href={file.link} target="_blank" rel="noreferrer">
                    {file.name}
                  </a>
                )}{' '}
                <small>{sizeOf(file.sizeBytes)}</small>
              </span>
              <button
                type="button"
                className="link-button"
                aria-label={t('upload.remove', { name: file.name })}
                onClick={() => onChange(files => files.filter(each => each.id !== file.id))}
              >
                {t('action.remove')}
              </button>
            </li>
          ))}
          {waiting.map(({ key, file }, index) => (
            <li key={key}>
              <Item
                file={file}
                mayStart={index < atOnce}
                send={send}
                onDone={stored => {
                  drop(key)
                  onChange(files => [...files, stored])
                }}
                onCancel={() => drop(key)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

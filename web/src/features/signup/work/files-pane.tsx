import { type ReactNode, type RefObject, useCallback, useState } from 'react'
import { sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Icon, iconPaths } from '#web/ui/icon.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import type { ShownFile } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { AdviceNote, type Advising, editorAt } from './advice-spot.tsx'
import { adviceId } from './advices.ts'
import { cannedForFile } from './canned.ts'
import { type ImageHandle, ImageView } from './image-view.tsx'

/** One thing in the strip: an uploaded file, or a place where none stands. */
export interface FileSlot {
  readonly id: string
  readonly fileKey: string
  readonly label: string
  readonly file: ShownFile | null
}

export const slotsOf = (files: readonly ShownFile[], labels: Readonly<Record<string, string>>): readonly FileSlot[] => {
  const keys = [...new Set([...Object.keys(labels), ...files.map(file => file.fileKey)])]
  const slots = keys.flatMap((fileKey): FileSlot[] => {
    const own = files.filter(file => file.fileKey === fileKey)
    const label = labels[fileKey] ?? own[0]?.fileLabel ?? fileKey
    return own.length === 0
      ? [{ id: `none:${fileKey}`, fileKey, label, file: null }]
      : own.map((file, index) => ({ id: file.fileId, fileKey, label: own.length > 1 ? `${label} ${index + 1}` : label, file }))
  })
  return [...slots.filter(slot => slot.file !== null), ...slots.filter(slot => slot.file === null)]
}

const turnLeft = 'M3.5 3v3.5H7M3.8 6.3A5.5 5.5 0 1 1 3 10'
const turnRight = 'M12.5 3v3.5H9M12.2 6.3A5.5 5.5 0 1 0 13 10'
const fitSign = 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10'
const minus = 'M3 8h10'
const newWindow = 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M6.5 3.5h-4v10h10v-4'
const pair = 'M2 3h5v10H2zM9 3h5v10H9z'

const isImage = (file: ShownFile) => file.mime.startsWith('image/')
const isPdf = (file: ShownFile) => file.mime === 'application/pdf'

/** A PDF comes with a policy of its own that puts it into a sandbox, so it can run nothing. */
const PdfView = ({ link, name }: { readonly link: string; readonly name: string }) => {
  const [first] = useState(link)
  return <iframe className="pdf-view" src={`${first}#navpanes=0&view=FitH`} title={name} referrerPolicy="no-referrer" />
}

const Shown = ({
  file,
  link,
  onScale,
  handle,
}: {
  readonly file: ShownFile
  readonly link: string
  readonly onScale: (percent: number) => void
  readonly handle?: RefObject<ImageHandle | null>
}) => {
  const t = useT(reviewTexts)
  // A rule of the reader's role keeps the file back (ADR 0064).
  if (link === '') return <EmptyState text={t('files.hidden')} />
  if (isImage(file)) return <ImageView link={link} name={file.name} onScale={onScale} {...(handle === undefined ? {} : { ref: handle })} />
  if (isPdf(file)) return <PdfView link={link} name={file.name} />
  return <EmptyState text={t('files.other')} action={<a href={link}>{t('action.download')}</a>} />
}

const findingNames = ['format', 'bytes', 'decode', 'size', 'ratio', 'ground', 'brightness'] as const
const isFinding = (rule: string): rule is (typeof findingNames)[number] => (findingNames as readonly string[]).includes(rule)

/** What was found, in words where the program's own are English ones. */
const useFound = () => {
  const t = useT(reviewTexts)
  return (rule: string, got: string): string => {
    if (rule === 'format') return got.split(' named ')[0]?.toUpperCase() ?? got
    if (rule === 'decode') return got.toUpperCase()
    if (rule === 'bytes' && /^\d+$/.test(got)) return sizeOf(Number(got))
    const [, colour, share] = got.match(/^(white|blue|red) (\d+) ?%$/) ?? []
    if (share !== undefined)
      return colour === 'white' ? t('photo.white', { share }) : colour === 'blue' ? t('photo.blue', { share }) : t('photo.red', { share })
    const mean = got.match(/^mean (\d+)/)?.[1]
    return mean === undefined ? got : t('photo.mean', { mean })
  }
}

interface PhotoProps {
  readonly file: ShownFile
  readonly state: number
  readonly onState: (state: 0 | 1 | 2) => void
  readonly enabled: boolean
}
/** What the program found in the portrait, and what the reviewer says. */
const PhotoBar = ({ file, state, onState, enabled }: PhotoProps) => {
  const t = useT(reviewTexts)
  const found = useFound()
  return (
    <div className="photo-bar">
      {file.checks === null ? null : (
        <ul aria-label={t('photo.findings')}>
          {file.checks.map(check => (
            <li key={check.rule} data-ok={check.ok}>
              <span>{isFinding(check.rule) ? t(`photo.${check.rule}`) : check.rule}</span>
              <span title={check.got}>{found(check.rule, check.got)}</span>
              <span className="visually-hidden">{check.ok ? t('photo.passed') : t('photo.failed')}</span>
            </li>
          ))}
        </ul>
      )}
      {/* Who only reads sees what was judged, and nothing where nobody has. */}
      {!enabled && state === 0 ? null : (
        <fieldset className="photo-state">
          <legend>{t('photo.state')}</legend>
          {([1, 2] as const).map(each => (
            <button
              key={each}
              type="button"
              className="button button-small"
              data-state={each}
              aria-pressed={state === each}
              disabled={!enabled}
              onClick={() => onState(state === each ? 0 : each)}
            >
              {each === 1 ? t('photo.good') : t('photo.bad')}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

interface Props {
  readonly slots: readonly FileSlot[]
  readonly chosen: FileSlot | null
  readonly onChoose: (id: string) => void
  readonly linkOf: (fileId: string, first: string) => string
  readonly changed: readonly string[]
  /** Files of the version before, where the answer has them. */
  readonly previous: readonly ShownFile[]
  readonly comparing: boolean
  readonly onCompare: (comparing: boolean) => void
  readonly handle: RefObject<ImageHandle | null>
  readonly advising: Advising
  readonly photo: Omit<PhotoProps, 'file'>
}

/** Centre: the files, one at a time. */
export const FilesPane = (props: Props) => {
  const { slots, chosen, onChoose, linkOf, changed, previous, comparing, onCompare, handle, advising, photo } = props
  const t = useT(reviewTexts)
  const [percent, setPercent] = useState(100)
  const ignore = useCallback(() => {}, [])
  const file = chosen?.file ?? null
  const old = chosen === null || !changed.includes(chosen.fileKey) ? null : (previous.find(each => each.fileKey === chosen.fileKey) ?? null)
  const isPair = comparing && old !== null
  const tool = (label: string, d: string, run: () => void, pressed?: boolean): ReactNode => (
    <button type="button" className="tool-button" aria-label={label} title={label} aria-pressed={pressed} onClick={run}>
      <Icon d={d} />
    </button>
  )
  if (slots.length === 0) return <EmptyState text={t('files.none')} />
  return (
    <>
      <ul className="file-strip" aria-label={t('files.list')}>
        {slots.map(slot => {
          const advised = advising.advices[adviceId('file', slot.fileKey)] !== undefined
          return (
            <li key={slot.id}>
              <button
                type="button"
                className="file-thumb"
                aria-pressed={slot.id === chosen?.id}
                data-missing={slot.file === null}
                data-advised={advised}
                onClick={() => onChoose(slot.id)}
              >
                {slot.file === null ? (
                  <span className="thumb-sign">{t('files.missing')}</span>
                ) : isImage(slot.file) ? (
                  <Thumb file={slot.file} link={linkOf(slot.file.fileId, slot.file.link)} />
                ) : (
                  <span className="thumb-sign">{isPdf(slot.file) ? 'PDF' : slot.file.name.split('.').at(-1)?.toUpperCase()}</span>
                )}
                <span className="thumb-name" title={slot.label}>
                  {slot.label}
                </span>
                {changed.includes(slot.fileKey) ? <span className="thumb-changed">{t('files.changed')}</span> : null}
              </button>
            </li>
          )
        })}
      </ul>
      {chosen === null ? null : (
        <>
          <div className="file-tools">
            <strong title={file?.name}>{chosen.label}</strong>
            {file === null ? null : (
              <span className="pane-note">{t('files.meta', { size: sizeOf(file.sizeBytes), time: file.uploadTime.slice(0, 16) })}</span>
            )}
            {file === null ? <span className="file-tools-space" /> : null}
            {file !== null && isImage(file) ? (
              <>
                {tool(t('files.zoomOut'), minus, () => handle.current?.zoom(1 / 1.25))}
                <output className="file-percent">{percent}%</output>
                {tool(t('files.zoomIn'), iconPaths.plus, () => handle.current?.zoom(1.25))}
                {tool(t('files.fit'), fitSign, () => handle.current?.fit())}
                {tool(t('files.left'), turnLeft, () => handle.current?.turn(-1))}
                {tool(t('files.right'), turnRight, () => handle.current?.turn(1))}
              </>
            ) : null}
            {old === null ? null : tool(t('files.compare'), pair, () => onCompare(!comparing), isPair)}
            {file === null || file.link === '' ? null : (
              <a
                className="tool-button"
                href={linkOf(file.fileId, file.link)}
                target="_blank"
                rel="noreferrer"
                aria-label={t('files.open')}
                title={t('files.open')}
              >
                <Icon d={newWindow} />
              </a>
            )}
            {advising.enabled && advising.advices[adviceId('file', chosen.fileKey)] === undefined ? (
              <button
                type="button"
                className="button button-small"
                onClick={() => advising.onEdit(editorAt('files', 'file', chosen.fileKey))}
              >
                {t('files.advise')}
              </button>
            ) : null}
          </div>
          <AdviceNote
            advising={advising}
            pane="files"
            kind="file"
            at={chosen.fileKey}
            label={chosen.label}
            canned={cannedForFile(chosen.fileKey, file !== null)}
          />
          <div className="file-stage" data-pair={isPair}>
            {isPair ? (
              <figure key={old.fileId}>
                <figcaption>
                  <StatusTag tone="closed" text={t('files.old')} />
                </figcaption>
                <Shown file={old} link={old.link} onScale={ignore} />
              </figure>
            ) : null}
            {file === null ? (
              <EmptyState text={t('files.missing')} />
            ) : (
              <figure key={file.fileId}>
                {isPair ? (
                  <figcaption>
                    <StatusTag tone="active" text={t('files.new')} />
                  </figcaption>
                ) : null}
                <Shown file={file} link={linkOf(file.fileId, file.link)} onScale={setPercent} handle={handle} />
              </figure>
            )}
          </div>
          {file !== null && chosen.fileKey === 'photo' ? <PhotoBar {...photo} file={file} /> : null}
        </>
      )}
    </>
  )
}

/** Keeps its first link: a renewed one would load every small picture again. */
const Thumb = ({ file, link }: { readonly file: ShownFile; readonly link: string }) => {
  const [first, setFirst] = useState(link)
  if (link === '') return null
  return <img src={first} alt={file.name} loading="lazy" draggable={false} onError={() => setFirst(link)} />
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { develop } from '#contract/develop/develop.routes.ts'
import type { OutputOf } from '#contract/kernel/route.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { callKey, useCall } from '#web/kernel/query.ts'
import { goTo } from '#web/shell/go.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { highlight } from './highlight.ts'
import { type DiffLine, lineDiff } from './line-diff.ts'
import { developTexts } from './texts.ts'
import { useGenerate } from './use-generate.ts'
import { useRowName } from './use-row.ts'
import './develop.css'

type Preview = OutputOf<typeof develop.preview>
type PreviewFile = Preview['files'][number]

const signs = { same: ' ', added: '+', removed: '-' } as const

const Line = ({ path, line }: { readonly path: string; readonly line: DiffLine }) => {
  const t = useT(developTexts)
  return (
    <div className={`develop-line develop-${line.kind}`}>
      <span className="develop-sign" aria-hidden="true">
        {signs[line.kind]}
      </span>
      {line.kind === 'same' ? null : <span className="visually-hidden">{t(`preview.${line.kind}`)} </span>}
      <span>
        {highlight(path, line.text).map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line never move
          <span key={at} className={piece.kind === 'plain' ? undefined : `develop-${piece.kind}`}>
            {piece.text}
          </span>
        ))}
      </span>
    </div>
  )
}

const FileText = ({ file, isDiff }: { readonly file: PreviewFile; readonly isDiff: boolean }) => {
  const t = useT(developTexts)
  const lines: readonly DiffLine[] = isDiff ? lineDiff(file.before ?? '', file.text) : lineDiff(file.text, file.text)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className="develop-code" tabIndex={0} aria-label={t('preview.code')}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never move
        <Line key={at} path={file.path} line={line} />
      ))}
    </section>
  )
}

const Files = ({ id, name, preview }: { readonly id: string; readonly name: string; readonly preview: Preview }) => {
  const t = useT(developTexts)
  const mayGenerate = useCan()('code_gen')
  const generate = useGenerate()
  const client = useQueryClient()
  const download = async () => {
    if (await generate([id])) await client.invalidateQueries({ queryKey: callKey('GET /blade-develop/code/preview', { id }) })
  }
  const { files, generatedTime } = preview
  const [path, setPath] = useState(files[0]?.path ?? '')
  const [isDiff, setDiff] = useState(false)
  const file = files.find(one => one.path === path) ?? files[0]
  const stateOf = ({ text, before }: PreviewFile): string =>
    generatedTime === ''
      ? ''
      : before === null
        ? t('preview.new')
        : text === ''
          ? t('preview.gone')
          : text === before
            ? ''
            : t('preview.changed')
  const mode = (wanted: boolean, text: string) => (
    <button
      type="button"
      className="button button-small"
      aria-pressed={isDiff === wanted}
      disabled={wanted && generatedTime === ''}
      onClick={() => setDiff(wanted)}
    >
      {text}
    </button>
  )
  const isSame = files.every(({ text, before }) => text === before)
  return (
    <>
      <div className="page-head">
        <h1>{t('preview.title', { name })}</h1>
        <div className="develop-bar">
          {mode(false, t('preview.now'))}
          {mode(true, t('preview.diff'))}
          {mayGenerate ? (
            <button type="button" className="button button-primary" onClick={() => void download()}>
              {t('preview.download')}
            </button>
          ) : null}
          <button type="button" className="button" onClick={() => goTo('/tool/code')}>
            {t('preview.back')}
          </button>
        </div>
      </div>
      <p className="develop-hint" role="status">
        {generatedTime === '' ? t('preview.never') : t('preview.last', { time: generatedTime })}
        {generatedTime !== '' && isSame ? ` · ${t('preview.same')}` : ''}
      </p>
      <div className="card develop-preview">
        <nav aria-label={t('preview.files')}>
          <ul>
            {files.map(one => (
              <li key={one.path}>
                <button type="button" className="link-button" aria-current={one === file} onClick={() => setPath(one.path)}>
                  {one.path}
                </button>
                {stateOf(one) === '' ? null : <span className="develop-hint"> {stateOf(one)}</span>}
              </li>
            ))}
          </ul>
        </nav>
        {file === undefined ? null : <FileText file={file} isDiff={isDiff} />}
      </div>
    </>
  )
}

/** What a configuration would make now, and what has changed since it was last generated (S7.28). */
export const Page = () => {
  const { params } = usePage()
  const id = params['id'] ?? ''
  const t = useT(developTexts)
  const preview = useCall('GET /blade-develop/code/preview', { id }, { quiet: true, staleTimeMs: 0 })
  const name = useRowName('/blade-develop/code/detail', id, 'codeName')
  const title = t('preview.title', { name })
  useTabTitle(name === '' ? null : { zh: title, en: title })
  return <Loaded query={preview}>{found => <Files key={id} id={id} name={name} preview={found} />}</Loaded>
}

import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FlowProblem } from '#contract/flow/flow-problems.ts'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { lazyPart } from '#web/kernel/lazy-part.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { saveFile } from '#web/kernel/save-file.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { moveOn } from '#web/shell/move-on.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { EmptyState, Loaded, PageSkeleton } from '#web/ui/states.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { ProblemList } from '../manage/problem-list.tsx'
import type { DrawHandle } from './draw-editor.tsx'
import { dropImported, takeImported } from './imported.ts'
import { readList, readXml } from './read-xml.ts'
import { type Straight, straightXml } from './straight.ts'
import { templates, templateXml } from './templates.ts'
import { modelTexts } from './texts.ts'
import '../flow.css'

const DrawEditor = lazyPart(async () => (await import('./draw-editor.tsx')).DrawEditor)
const ListEditor = lazy(async () => ({ default: (await import('./list-editor.tsx')).ListEditor }))
const DeployDialog = lazy(async () => ({ default: (await import('./deploy-dialog.tsx')).DeployDialog }))

interface Saved {
  readonly id: string | null
  readonly version: number | undefined
}
interface EditorProps {
  readonly start: string
  readonly saved: Saved
}

/** What is checked, a moment after somebody stopped drawing. */
const checkMs = 400

const Editor = ({ start, saved: savedAtFirst }: EditorProps) => {
  const t = useT(modelTexts)
  const label = useLabel()
  const can = useCan()
  const { path } = usePage()
  const client = useQueryClient()
  const draw = useRef<DrawHandle>(null)
  const [saved, setSaved] = useState(savedAtFirst)
  const [xml, setXml] = useState(start)
  /** Null while it is drawn. */
  const [list, setList] = useState<Straight | null>(null)
  const [name, setName] = useState('')
  const [problems, setProblems] = useState<readonly FlowProblem[]>([])
  const [changes, setChanges] = useState(0)
  const [changed, setChanged] = useState(false)
  const [busy, setBusy] = useState(false)
  const [deploying, setDeploying] = useState(false)
  useUnsaved(path, () => changed)
  useTabTitle(name === '' ? null : { zh: name, en: name })
  const current = async (): Promise<string> => (list === null ? ((await draw.current?.xml()) ?? xml) : straightXml(list, label))
  const check = useEffectEvent(async (isFirst: boolean) => {
    const read = await readXml(isFirst ? start : await current())
    setProblems(read.problems)
    setName(read.name)
    if (isFirst) setList(await readList(start))
  })
  useEffect(() => void check(true), [])
  useEffect(() => {
    if (changes === 0) return
    const timer = setTimeout(() => void check(false), checkMs)
    return () => clearTimeout(timer)
  }, [changes])
  const touch = () => {
    setChanged(true)
    setChanges(count => count + 1)
  }
  const change = (next: Straight) => {
    setList(next)
    touch()
  }
  const toDrawing = () => {
    if (list !== null) setXml(straightXml(list, label))
    setList(null)
  }
  const toList = async () => {
    const straight = await readList(await current())
    if (straight === null) notify('warning', t('design.noList'))
    else setList(straight)
  }
  const save = async () => {
    if (busy) return
    setBusy(true)
    try {
      const modelEditorXml = await current()
      const row = await api.call('POST /blade-flow/model/submit', {
        ...(saved.id === null ? {} : { id: saved.id }),
        ...(saved.version === undefined ? {} : { version: saved.version }),
        modelEditorXml,
      })
      setChanged(false)
      notify('success', t('design.saved', { version: row.version }))
      await client.invalidateQueries({ queryKey: listKey('flow-models') })
      if (saved.id === null) dropImported()
      if (saved.id === null) moveOn(path, `/flow/design/${row.id}`)
      setSaved({ id: row.id, version: row.version })
    } catch (error) {
      if (!isApiError(error)) throw error // The api client has said why.
    } finally {
      setBusy(false)
    }
  }
  const exportFile = async () => {
    const text = await current()
    const { key } = await readXml(text)
    saveFile(new Blob([text], { type: 'application/xml' }), `${key || 'process'}.bpmn`)
  }
  const shown = problems.map(({ element, where, text }) => ({ element, elementName: label(where), text: label(text) }))
  const mode = (isList: boolean, text: string, run: () => void) => (
    <button type="button" className="button button-small" aria-pressed={(list !== null) === isList} onClick={run}>
      {text}
    </button>
  )
  return (
    <>
      <div className="page-head">
        <h1>{name || t('template.name')}</h1>
        <div className="flow-bar">
          {mode(true, t('design.list'), () => void toList())}
          {mode(false, t('design.draw'), toDrawing)}
          <button type="button" className="button" onClick={() => void exportFile()}>
            {t('design.export')}
          </button>
          <button type="button" className="button button-primary" aria-disabled={busy} onClick={() => void save()}>
            {t('design.save')}
          </button>
          {saved.id !== null && can('flow_model_deploy') ? (
            <button type="button" className="button" disabled={changed || problems.length > 0} onClick={() => setDeploying(true)}>
              {t('design.deploy')}
            </button>
          ) : null}
        </div>
      </div>
      <section className="card flow-state" aria-live="polite">
        {problems.length === 0 ? (
          <p className="flow-hint">{t('design.fine')}</p>
        ) : (
          <p className="flow-hint">{t('design.problems', { count: problems.length })}</p>
        )}
      </section>
      {list === null ? (
        <Suspense fallback={<PageSkeleton />}>
          <DrawEditor ref={draw} xml={xml} onChange={touch} onBroken={reason => notify('error', reason)} />
        </Suspense>
      ) : (
        <section className="card flow-form">
          <LabelledInput label={t('design.name')} maxLength={100} value={list.name} onChange={next => change({ ...list, name: next })} />
          <LabelledInput label={t('design.key')} maxLength={60} value={list.key} onChange={key => change({ ...list, key })} />
          <p className="flow-hint">{t('design.key.help')}</p>
          <LabelledInput
            label={t('design.description')}
            maxLength={500}
            rows={2}
            value={list.description}
            onChange={description => change({ ...list, description })}
          />
          <Suspense fallback={<PageSkeleton />}>
            <ListEditor value={list} problems={problems} onChange={change} />
          </Suspense>
        </section>
      )}
      {problems.length === 0 ? null : (
        <section className="card">
          <h2>{t('design.mend')}</h2>
          <ProblemList problems={shown} {...(list === null ? { onGo: element => draw.current?.show(element) } : {})} />
        </section>
      )}
      <Suspense>
        {deploying && saved.id !== null ? <DeployDialog modelId={saved.id} name={name} onClose={() => setDeploying(false)} /> : null}
      </Suspense>
    </>
  )
}

const NewModel = () => {
  const t = useT(modelTexts)
  const label = useLabel()
  const { search } = usePage()
  const [start] = useState(() => {
    const from = search.get('from')
    const template = templates.find(each => each === from) ?? 'one'
    return from === 'file' ? takeImported() : templateXml(template, t, label, new Date(serverNow()))
  })
  if (start === '') return <EmptyState text={t('new.gone')} />
  return <Editor start={start} saved={{ id: null, version: undefined }} />
}

const StoredModel = ({ id }: { readonly id: string }) => {
  const detail = useCall('GET /blade-flow/model/detail', { id }, { quiet: true, staleTimeMs: 0 })
  return (
    <Loaded query={detail}>{({ modelEditorXml, version }) => <Editor key={id} start={modelEditorXml} saved={{ id, version }} />}</Loaded>
  )
}

/** Draws a process, or lists its steps. */
export const Page = () => {
  const { params } = usePage()
  const id = params['id'] ?? ''
  return <div className="flow-page">{id === 'new' ? <NewModel /> : <StoredModel id={id} />}</div>
}

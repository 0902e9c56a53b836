import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import type { PeopleRule, ProcessGraph } from '#contract/flow/process-graph.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { lazyPart } from '#web/kernel/lazy-part.ts'
import { sizeOf } from '#web/shell/flow/fit.ts'
import { moveOn } from '#web/shell/move-on.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { EmptyState, Loaded, PageSkeleton } from '#web/ui/states.tsx'
import { StatusTag, type Tone } from '#web/ui/status-tag.tsx'
import { useRuleNames } from '../model/use-rule-names.ts'
import { type Difference, type DifferenceMark, differencesOf } from './differences.ts'
import { manageTexts } from './texts.ts'
import '../flow.css'

const FlowCanvas = lazyPart(async () => (await import('#web/shell/flow/canvas.tsx')).FlowCanvas)

type Version = ApiOutput<'GET /blade-flow/manager/list'>['records'][number]
const tones: Readonly<Record<DifferenceMark, Tone>> = { added: 'passed', removed: 'refused', changed: 'waiting' }
const most = 200

const rulesOf = (graph: ProcessGraph): readonly PeopleRule[] =>
  Object.values(graph.nodes).flatMap(({ task }) => (task ? [...(task.assignee ? [task.assignee] : []), ...task.candidates] : []))
const marksOf = (found: readonly Difference[], side: 'before' | 'after'): ReadonlyMap<string, DifferenceMark> =>
  new Map(found.flatMap(each => (each[side] === null ? [] : [[each[side], each.mark] as const])))

/** A version as it was drawn, and as it runs. */
interface Drawn {
  readonly xml: string
  readonly graph: ProcessGraph
}
const useDrawn = (id: string) =>
  useQuery({
    queryKey: ['flow-version', id],
    queryFn: async (): Promise<Drawn | null> => {
      const { xml } = await api.call('GET /blade-flow/process/model-view', { processDefinitionId: id }, { quiet: true })
      const { readXml } = await import('../model/read-xml.ts')
      const { graph } = await readXml(xml)
      return graph === undefined ? null : { xml, graph }
    },
  })

const Compared = ({ before, after }: { readonly before: Drawn; readonly after: Drawn }) => {
  const t = useT(manageTexts)
  const label = useLabel()
  const rules = useMemo(() => [...rulesOf(before.graph), ...rulesOf(after.graph)], [before, after])
  const { nameOf } = useRuleNames(rules, [...after.graph.variables, ...before.graph.variables])
  const found = differencesOf(before.graph, after.graph, nameOf).filter(({ isSilent }) => isSilent !== true)
  // The names of people arrive later than the drawings, and do not change what is marked.
  const marks = useMemo(() => {
    const plain = differencesOf(before.graph, after.graph, ({ kind, ref }) => `${kind} ${ref}`)
    return [marksOf(plain, 'before'), marksOf(plain, 'after')] as const
  }, [before, after])
  const least = useMemo(() => {
    const [one, two] = [sizeOf(before.xml), sizeOf(after.xml)]
    return { width: Math.max(one.width, two.width), height: Math.max(one.height, two.height) }
  }, [before, after])
  const [broken, setBroken] = useState(false)
  const picture = (of: Drawn, title: string, differences: ReadonlyMap<string, DifferenceMark>) => (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Suspense fallback={<PageSkeleton rows={4} />}>
        <FlowCanvas xml={of.xml} differences={differences} least={least} onBroken={() => setBroken(true)} />
      </Suspense>
    </section>
  )
  return (
    <>
      <section className="card">
        <h2>{t('compare.list', { count: found.length })}</h2>
        {found.length === 0 ? <p>{t('compare.same')}</p> : null}
        <ul className="flow-differences">
          {found.map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is made anew as a whole
            <li key={at}>
              <StatusTag tone={tones[each.mark]} text={t(`compare.${each.mark}`)} /> <strong>{label(each.where)}</strong>
              {each.what.length === 0 ? null : (
                <ul>
                  {each.what.map(line => (
                    <li key={line.en}>{label(line)}</li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      </section>
      {broken ? null : (
        <div className="card flow-two">
          {picture(before, t('compare.before'), marks[0])}
          {picture(after, t('compare.after'), marks[1])}
        </div>
      )}
    </>
  )
}

/** Two versions of a process beside each other: what was added, removed and changed, in words and in their pictures. */
export const Page = () => {
  const t = useT(manageTexts)
  const { path, params } = usePage()
  const [from, to] = [params['from'] ?? '', params['to'] ?? '']
  const [before, after] = [useDrawn(from), useDrawn(to)]
  const key = after.data?.graph.key ?? ''
  const list = useQuery({
    queryKey: ['flow-versions', key],
    queryFn: () => api.call('GET /blade-flow/manager/list', { key, size: most }, { quiet: true }),
    enabled: key !== '',
  })
  const mine = list.data?.records.find(({ id }) => id === to)
  const versions = (list.data?.records ?? []).filter(each => each.key === key && each.tenantId === mine?.tenantId)
  const nameOf = (each: Version) => t('compare.version', { version: each.version, time: minuteOf(each.deploymentTime) })
  const choose = (word: string, value: string, go: (id: string) => string) => (
    <LabelledSelect
      label={word}
      value={value}
      options={versions.map(each => ({ value: each.id, label: nameOf(each) }))}
      onChange={id => moveOn(path, go(id))}
    />
  )
  return (
    <div className="flow-page">
      <div className="page-head">
        <h1>{t('compare.title', { name: after.data?.graph.name ?? '' })}</h1>
      </div>
      {versions.length === 0 ? null : (
        <div className="card flow-row">
          {choose(t('compare.before'), from, id => `/flow/compare/${id}/${to}`)}
          {choose(t('compare.after'), to, id => `/flow/compare/${from}/${id}`)}
        </div>
      )}
      <Loaded query={before}>
        {old => (
          <Loaded query={after}>
            {now => (old === null || now === null ? <EmptyState text={t('compare.broken')} /> : <Compared before={old} after={now} />)}
          </Loaded>
        )}
      </Loaded>
    </div>
  )
}

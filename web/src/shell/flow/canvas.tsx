import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { elementName } from '#contract/flow/element-words.ts'
import { useLabel, useT } from '../../kernel/i18n/index.ts'
import { Icon } from '../../ui/icon.tsx'
import { shellTexts } from '../texts.ts'
import { type FitCanvas, fitCanvas, type Size } from './fit.ts'
import { type FlowHistoryEntry, marksOf } from './marks.ts'
import './flow.css'

interface Element {
  readonly id: string
  readonly type: string
  readonly labelTarget?: unknown
  readonly businessObject?: { readonly name?: string }
}
interface Canvas extends FitCanvas {
  addMarker(id: string, marker: string): void
}
interface Registry {
  get(id: string): Element | undefined
  filter(wanted: (element: Element) => boolean): readonly Element[]
}
interface ZoomScroll {
  stepZoom(by: number): void
}

interface Step {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly mark: 'done' | 'active' | null
}

interface Props {
  readonly xml: string
  /** What has happened in a running process; none for a bare diagram. */
  readonly history?: readonly FlowHistoryEntry[]
  /** Elements by their ids that differ from another drawing. Keep it the same object between renders. */
  readonly differences?: ReadonlyMap<string, 'added' | 'removed' | 'changed'>
  /** Room that is kept also for a smaller drawing. Keep it the same object between renders. */
  readonly least?: Size
  /** The text is no diagram that can be drawn. */
  readonly onBroken: (reason: string) => void
}

const isStep = ({ type, labelTarget }: Element) => labelTarget === undefined && /(Task|Event|Gateway|Activity|SubProcess)$/.test(type)

/** A BPMN diagram to look at: it can be moved and zoomed, and read as a list. The watermark of bpmn.io belongs to its licence. */
export const FlowCanvas = ({ xml, history, differences, least, onBroken }: Props) => {
  const t = useT(shellTexts)
  const label = useLabel()
  const box = useRef<HTMLElement>(null)
  const viewer = useRef<NavigatedViewer | null>(null)
  const [steps, setSteps] = useState<readonly Step[]>([])
  const broken = useEffectEvent(onBroken)
  useEffect(() => {
    if (box.current === null) return
    const drawn = new NavigatedViewer({ container: box.current })
    viewer.current = drawn
    let gone = false
    drawn.importXML(xml).then(
      () => {
        if (gone) return
        const canvas = drawn.get<Canvas>('canvas')
        const registry = drawn.get<Registry>('elementRegistry')
        const marks = marksOf(history ?? [])
        for (const [id, mark] of marks) if (registry.get(id) !== undefined) canvas.addMarker(id, `flow-${mark}`)
        for (const [id, mark] of differences ?? []) if (registry.get(id) !== undefined) canvas.addMarker(id, `flow-${mark}`)
        fitCanvas(canvas, least)
        setSteps(
          registry.filter(isStep).map(({ id, type, businessObject }) => {
            const mark = marks.get(id)
            return { id, type, name: businessObject?.name ?? '', mark: mark === 'done' || mark === 'active' ? mark : null }
          }),
        )
      },
      (error: unknown) => {
        if (!gone) broken(error instanceof Error ? error.message : String(error))
      },
    )
    return () => {
      gone = true
      drawn.destroy()
      viewer.current = null
    }
  }, [xml, history, differences, least])
  const step = (by: number) => viewer.current?.get<ZoomScroll>('zoomScroll').stepZoom(by)
  return (
    <div className="flow">
      <div className="flow-tools">
        <button type="button" className="icon-button" aria-label={t('flow.in')} title={t('flow.in')} onClick={() => step(1)}>
          <Icon d="M8 3v10M3 8h10" />
        </button>
        <button type="button" className="icon-button" aria-label={t('flow.out')} title={t('flow.out')} onClick={() => step(-1)}>
          <Icon d="M3 8h10" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t('flow.fit')}
          title={t('flow.fit')}
          onClick={() => {
            const canvas = viewer.current?.get<Canvas>('canvas')
            if (canvas !== undefined) fitCanvas(canvas, least)
          }}
        >
          <Icon d="M2.5 6V2.5H6m4 0h3.5V6m0 4v3.5H10m-4 0H2.5V10" />
        </button>
        {history === undefined ? null : (
          <ul className="flow-legend">
            <li data-mark="done">{t('flow.done')}</li>
            <li data-mark="active">{t('flow.active')}</li>
          </ul>
        )}
      </div>
      <section ref={box} className="flow-canvas" aria-label={t('flow.drawing', { count: steps.length })} />
      <details className="flow-steps">
        <summary>{t('flow.steps', { count: steps.length })}</summary>
        <ol>
          {steps.map(each => (
            <li key={each.id}>
              {label(elementName(each.type, each.name))}
              {each.mark === null ? null : `（${t(`flow.${each.mark}`)}）`}
            </li>
          ))}
        </ol>
      </details>
    </div>
  )
}

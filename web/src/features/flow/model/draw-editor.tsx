import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { elementName, lineName } from '#contract/flow/element-words.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { fitCanvas } from '#web/shell/flow/fit.ts'
import { Icon, iconPaths } from '#web/ui/icon.tsx'
import {
  addNode,
  declareNamespaces,
  dragNode,
  nodeTypes,
  type OpenModeler,
  openModeler,
  type Shape,
  textOf,
  variablesOf,
} from './modeler.ts'
import { Panel } from './panel.tsx'
import { modelTexts } from './texts.ts'
import '#web/shell/flow/flow.css'

export interface DrawHandle {
  /** The drawing as it stands. */
  readonly xml: () => Promise<string>
  /** Shows an element of the drawing. */
  readonly show: (element: string) => void
}
interface Props {
  /** What it begins with; later values draw anew. */
  readonly xml: string
  readonly onChange: () => void
  readonly onBroken: (reason: string) => void
  readonly ref: Ref<DrawHandle>
}

const isNode = ({ labelTarget, type }: Shape): boolean => labelTarget === undefined && type !== 'bpmn:Process' && type !== 'label'

/** Draws a process: with the pointer on the canvas, or by the buttons and the list of elements with the keyboard. */
export const DrawEditor = ({ xml, onChange, onBroken, ref }: Props) => {
  const t = useT(modelTexts)
  const label = useLabel()
  const box = useRef<HTMLElement>(null)
  const [open, setOpen] = useState<OpenModeler | null>(null)
  // The library keeps the drawing; each of its changes draws the panel anew.
  const [, setVersion] = useState(0)
  const changed = useEffectEvent(onChange)
  const broken = useEffectEvent(onBroken)
  const words = useEffectEvent((word: Parameters<Parameters<typeof openModeler>[1]>[0]) => t(`draw.${word}`))
  useEffect(() => {
    if (box.current === null) return
    const opened = openModeler(box.current, word => words(word))
    let gone = false
    opened.modeler.importXML(xml).then(
      () => {
        if (gone) return
        declareNamespaces(opened)
        fitCanvas(opened.get('canvas'))
        const redraw = () => setVersion(version => version + 1)
        opened.modeler.on('selection.changed', redraw)
        opened.modeler.on('commandStack.changed', () => {
          redraw()
          changed()
        })
        setOpen(opened)
      },
      (error: unknown) => {
        if (!gone) broken(error instanceof Error ? error.message : String(error))
      },
    )
    return () => {
      gone = true
      setOpen(null)
      opened.modeler.destroy()
    }
  }, [xml])
  const select = (shape: Shape | undefined) => {
    if (open === null || shape === undefined) return
    open.get('selection').select(shape)
    open.get('canvas').scrollToElement(shape)
  }
  useImperativeHandle(
    ref,
    () => ({
      xml: async () => (await open?.modeler.saveXML({ format: true }))?.xml ?? xml,
      show: element => {
        if (open === null) return
        const shape = open.get('elementRegistry').get(element)
        if (shape === undefined) return
        open.get('selection').select(shape)
        open.get('canvas').scrollToElement(shape)
      },
    }),
    [open, xml],
  )
  const root = open?.get('canvas').getRootElement()
  const [chosen] = open?.get('selection').get() ?? []
  const shape = chosen === undefined || chosen.labelTarget !== undefined ? root : chosen
  const elements = open?.get('elementRegistry').filter(isNode) ?? []
  const nameOf = ({ businessObject: of, type, source, target }: Shape): string => {
    const ends = [source, target].map(end => end && elementName(end.type, textOf(end.businessObject, 'name')))
    return label(type === 'bpmn:SequenceFlow' ? lineName(textOf(of, 'name'), ends[0], ends[1]) : elementName(type, textOf(of, 'name')))
  }
  const stack = open?.get('commandStack')
  const tool = (label: string, d: string, disabled: boolean, run: () => void) => (
    <button type="button" className="icon-button" aria-label={label} title={label} disabled={disabled} onClick={run}>
      <Icon d={d} />
    </button>
  )
  return (
    <div className="flow-draw">
      <div className="flow-bar" role="toolbar" aria-label={t('draw.tools')}>
        {nodeTypes.map(([type, word, icon]) => (
          <button
            key={type}
            type="button"
            className="button button-small"
            disabled={open === null}
            draggable={open !== null}
            onDragStart={event => {
              event.preventDefault()
              if (open !== null) dragNode(open, type, event.nativeEvent)
            }}
            onClick={() => open !== null && addNode(open, type)}
          >
            <span className={icon} aria-hidden="true" /> {t(`draw.${word}`)}
          </button>
        ))}
        {tool(t('draw.undo'), iconPaths.left, stack?.canUndo() !== true, () => stack?.undo())}
        {tool(t('draw.redo'), iconPaths.right, stack?.canRedo() !== true, () => stack?.redo())}
        {tool(t('draw.remove'), iconPaths.close, chosen === undefined, () => {
          if (open !== null) open.get('modeling').removeElements(open.get('selection').get())
        })}
      </div>
      <section ref={box} className="flow-canvas flow-board" aria-label={t('draw.canvas', { count: elements.length })} />
      <aside className="flow-panel" aria-label={t('panel.title')}>
        <h2>{t('panel.title')}</h2>
        {open === null || root === undefined || shape === undefined ? null : (
          <Panel key={shape.id} open={open} shape={shape} variables={variablesOf(root.businessObject)} />
        )}
        <details>
          <summary>{t('panel.elements')}</summary>
          <ol>
            {elements.map(each => (
              <li key={each.id}>
                <button type="button" className="link-button" aria-current={each === chosen} onClick={() => select(each)}>
                  {nameOf(each)}
                </button>
              </li>
            ))}
          </ol>
        </details>
      </aside>
    </div>
  )
}

import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from '../kit/address.ts'
import { type Place, writePlace } from './kept.ts'
import type { StepNo } from './model.ts'

const placeOf = (key: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-field="${CSS.escape(key)}"]`) ??
  document.querySelector<HTMLElement>(`[name="${CSS.escape(key)}"]`)

export const focusField = (key: string): void => {
  requestAnimationFrame(() => {
    // A cell of a table (`resume.0.start`) has its field in a sheet that is shut; the row's button stands for it.
    const place = placeOf(key) ?? placeOf(key.split('.')[0] ?? key)
    for (let fold = place?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true
    const target = place?.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea, button') ?? place
    target?.focus({ preventScroll: true })
    place?.scrollIntoView({ block: 'center' })
  })
}

const stepIn = (params: URLSearchParams): StepNo | undefined => ([1, 2, 3, 4] as const).find(step => String(step) === params.get('step'))

interface Steps {
  readonly examId: string
  readonly userId: string
  /** Where somebody who comes back goes on; null: at the beginning. */
  readonly comeBack: () => Place | null
  /** Which subject of the second step has the field. */
  readonly partOf: (key: string) => number
}

/**
 * Step and subject stand in the address; whoever goes to one begins at its heading, or at the field in question. Whoever opens the form without
 * them goes on where they were.
 */
export const useSteps = ({ examId, userId, comeBack, partOf }: Steps) => {
  const [params, setParams] = useSearchParams()
  const heading = useRef<HTMLHeadingElement>(null)
  const [start] = useState(() => {
    const found = stepIn(params) === undefined ? comeBack() : null
    return found?.step === 1 ? null : found
  })
  const inAddress = stepIn(params)
  const [hasBegun, setBegun] = useState(start === null)
  const place: Place =
    hasBegun || inAddress !== undefined || start === null ? { step: inAddress ?? 1, part: Number(params.get('part') ?? 1) } : start
  const show = useCallback(
    ({ step, part }: Place, replace: boolean) =>
      setParams(
        before => {
          before.set('step', String(step))
          if (step === 2 && part > 1) before.set('part', String(part))
          else before.delete('part')
          return before
        },
        { replace },
      ),
    [setParams],
  )
  useEffect(() => {
    if (start === null) return
    show(start, true)
    setBegun(true)
  }, [start, show])
  const go = useCallback(
    (step: StepNo, key?: string, part = key === undefined || step !== 2 ? 1 : partOf(key)) => {
      show({ step, part }, false)
      if (key === undefined) {
        scrollTo(0, 0)
        requestAnimationFrame(() => heading.current?.focus({ preventScroll: true }))
      } else setTimeout(() => focusField(key), 60)
    },
    [show, partOf],
  )
  const { step, part } = place
  useEffect(() => void writePlace(examId, userId, { step, part }), [examId, userId, step, part])
  return { ...place, go, heading }
}

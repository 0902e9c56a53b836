import { useCallback, useRef } from 'react'
import { useSearchParams } from '../kit/address.ts'
import type { StepNo } from './model.ts'

const placeOf = (key: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-field="${CSS.escape(key)}"]`) ??
  document.querySelector<HTMLElement>(`[name="${CSS.escape(key)}"]`)

export const focusField = (key: string): void => {
  requestAnimationFrame(() => {
    // A cell of a table (`resume.0.start`) has its field in a sheet that is shut; the row's button stands for it.
    const place = placeOf(key) ?? placeOf(key.split('.')[0] ?? key)
    const target = place?.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea, button') ?? place
    target?.focus({ preventScroll: true })
    place?.scrollIntoView({ block: 'center' })
  })
}

/** The step stands in the address; whoever goes to one begins at its heading, or at the field in question. */
export const useSteps = () => {
  const [params, setParams] = useSearchParams()
  const heading = useRef<HTMLHeadingElement>(null)
  const wanted = Number(params.get('step') ?? 1)
  const step: StepNo = wanted === 2 || wanted === 3 || wanted === 4 ? wanted : 1
  const go = useCallback(
    (to: StepNo, key?: string) => {
      setParams(
        before => {
          before.set('step', String(to))
          return before
        },
        { replace: false },
      )
      if (key === undefined) {
        scrollTo(0, 0)
        requestAnimationFrame(() => heading.current?.focus({ preventScroll: true }))
      } else setTimeout(() => focusField(key), 60)
    },
    [setParams],
  )
  return { step, go, heading }
}

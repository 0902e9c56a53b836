import { useEffect, useState } from 'react'
import { useIdle } from '../kit/idle.ts'
import { Failed } from '../kit/load.tsx'
import { Skeleton } from '../kit/ui.tsx'

const load = async () => {
  const [{ InfoStep }, { FilesStep }, { ReviewStep }, { Submitted }] = await Promise.all([
    import('./info-step.tsx'),
    import('./files-step.tsx'),
    import('./review-step.tsx'),
    import('./done.tsx'),
  ])
  return { InfoStep, FilesStep, ReviewStep, Submitted }
}
type LaterSteps = Awaited<ReturnType<typeof load>>
let known: LaterSteps | null = null

/**
 * The steps behind the first one and what is shown after them, fetched while the first is read. Not `lazy`: once they are here a step stands at once, so that the keyboard
 * can go to a field in it; and the form stays as it is when they do not come.
 */
export const useLaterSteps = (isNeeded: boolean) => {
  const [steps, setSteps] = useState(known)
  const [hasFailed, setFailed] = useState(false)
  const isIdle = useIdle()
  const isWanted = steps === null && !hasFailed && (isNeeded || isIdle)
  useEffect(() => {
    if (!isWanted) return
    load().then(
      found => {
        known = found
        setSteps(found)
      },
      () => setFailed(true),
    )
  }, [isWanted])
  // What was fetched ahead and did not come is asked for once more by whoever needs it.
  useEffect(() => {
    if (isNeeded) setFailed(false)
  }, [isNeeded])
  /** What stands in the place of a step until it is here. */
  const waiting = hasFailed ? <Failed error={null} onRetry={() => setFailed(false)} /> : <Skeleton rows={[220, 220]} />
  return { later: steps, waiting }
}

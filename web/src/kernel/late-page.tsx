import { type ComponentType, useEffect, useState } from 'react'

/**
 * A page whose program comes when it is first drawn; until then `Waiting` stands in its place. Like `lazy`, but without `Suspense`: once
 * that has shown what stands in for a page, React holds the page itself back until 300 ms are over, however soon it came.
 * @param load - may be called again after it has failed
 */
export const latePage = <P extends object>(load: () => Promise<ComponentType<P>>, Waiting: ComponentType): ComponentType<P> => {
  let Come: ComponentType<P> | undefined
  let coming: Promise<void> | undefined
  const begin = (): Promise<void> =>
    (coming ??= load().then(
      Part => {
        Come = Part
      },
      (error: unknown) => {
        coming = undefined
        throw error
      },
    ))
  return props => {
    const [, draw] = useState<unknown>()
    const isLate = !Come
    // What stands in for the page is drawn while it is on its way already.
    if (isLate) begin().catch(() => {})
    useEffect(() => {
      // By what was drawn: the page may have come since. A part that has left the screen meanwhile is drawn no more.
      if (isLate)
        begin().then(
          () => draw(1),
          (error: unknown) =>
            draw(() => {
              throw error
            }),
        )
    }, [isLate])
    return Come ? <Come {...props} /> : <Waiting />
  }
}

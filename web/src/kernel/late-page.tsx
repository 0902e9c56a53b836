import { type ComponentType, useEffect, useState } from 'react'

/**
 * A page whose program comes when it is first drawn; until then `Waiting` stands in its place. Like `lazy`, but without `Suspense`: once
 * that has shown what stands in for a page, React holds the page itself back until 300 ms are over, however soon it came.
 * @param load - may be called again after it has failed
 */
export const latePage = <P extends object>(load: () => Promise<ComponentType<P>>, Waiting: ComponentType): ComponentType<P> => {
  let Come: ComponentType<P> | null = null
  let coming: Promise<void> | null = null
  const begin = (): Promise<void> =>
    (coming ??= load().then(
      Part => {
        Come = Part
      },
      (error: unknown) => {
        coming = null
        throw error
      },
    ))
  return props => {
    const [, draw] = useState<unknown>()
    const isLate = Come === null
    // What stands in for the page is drawn while it is on its way already.
    if (isLate) begin().catch(() => {})
    useEffect(() => {
      // By what was drawn: the page may have come since.
      if (!isLate) return
      let gone = false
      begin().then(
        () => gone || draw(1),
        (error: unknown) =>
          gone ||
          draw(() => {
            throw error
          }),
      )
      return () => {
        gone = true
      }
    }, [isLate])
    return Come === null ? <Waiting /> : <Come {...props} />
  }
}

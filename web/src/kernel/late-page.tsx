import { type ComponentType, useEffect, useState } from 'react'

/**
 * A page whose program comes when it is first drawn; until then `Waiting` stands in its place. Like `lazy`, but without `Suspense`: once
 * that has shown what stands in for a page, React holds the page itself back until 300 ms are over, however soon it came.
 * @param load - may be called again after it has failed
 */
export const latePage = <P extends object>(load: () => Promise<ComponentType<P>>, Waiting: ComponentType): ComponentType<P> => {
  let Come: ComponentType<P> | null = null
  let coming: Promise<ComponentType<P>> | null = null
  const begin = (): Promise<ComponentType<P>> => {
    coming ??= load().then(
      Part => {
        Come = Part
        return Part
      },
      (error: unknown) => {
        coming = null
        throw error
      },
    )
    return coming
  }
  return props => {
    const [, setState] = useState(Come !== null)
    // What stands in for the page is drawn while it is on its way already.
    if (Come === null) begin().catch(() => {})
    useEffect(() => {
      if (Come !== null) return
      let gone = false
      begin().then(
        () => gone || setState(true),
        (error: unknown) =>
          gone ||
          setState(() => {
            throw error
          }),
      )
      return () => {
        gone = true
      }
    }, [])
    return Come === null ? <Waiting /> : <Come {...props} />
  }
}

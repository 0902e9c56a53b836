import { lazy, Suspense } from 'react'
import type { Subject } from '#contract/kernel/proposals.ts'

const Lines = lazy(async () => ({ default: (await import('./told-lines.tsx')).ToldLines }))

/** How somebody was told of what is proposed against them; it comes after what is decided on. */
export const ToldLines = ({ of }: { readonly of: Subject }) => (
  <Suspense>
    <Lines of={of} />
  </Suspense>
)

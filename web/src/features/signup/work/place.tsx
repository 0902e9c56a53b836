import { lazy, Suspense } from 'react'

const RegionName = lazy(async () => ({ default: (await import('./region-name.tsx')).RegionName }))

/** A place in words; its code until they are there. */
export const Place = ({ code }: { readonly code: string }) => (
  <Suspense fallback={code}>
    <RegionName code={code} />
  </Suspense>
)

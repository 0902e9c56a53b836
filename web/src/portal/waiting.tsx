import { Skeleton } from './kit/ui.tsx'

/** Stands in for a page that is on its way. */
export const Waiting = () => <Skeleton rows={[28, 140, 140]} />

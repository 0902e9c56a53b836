import { ResourcePage } from '#web/resource/resource-page.tsx'
import { resourceAt } from '../resource-at.ts'
import { cellsOf, inputsOf } from './inputs.tsx'

/** A library: plain, but for the fields that no declaration draws. */
export const LibraryPage = ({ menuPath }: { readonly menuPath: string }) => {
  const resource = resourceAt(menuPath)
  return <ResourcePage resource={resource} cells={cellsOf(resource)} inputs={inputsOf(resource)} />
}

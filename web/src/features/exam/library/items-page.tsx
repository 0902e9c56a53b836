import { resourceAt } from '../resource-at.ts'
import { LibraryPage } from './library-page.tsx'

export const Page = () => <LibraryPage resource={resourceAt('/exam/items')} canSwitch={true} />

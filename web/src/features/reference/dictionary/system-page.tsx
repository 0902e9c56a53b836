import { TreePage } from './tree-page.tsx'

export const Page = () => <TreePage kind="dict" />
